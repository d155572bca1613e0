import { Injectable } from '@nestjs/common';
import {
  type ErasureOutlook,
  type ErasureResult,
  type ErasureSubject,
  Erasures,
  type LegalHold,
} from '../../application/erasures/erasures.port.js';
import { FailureGrouping } from '../../application/failure-groups/failure-grouping.port.js';
import { EventReads, type RecordedEvent } from '../../application/kernel/event-store.port.js';
import { type PayloadPlace, PayloadStore } from '../../application/kernel/payload-store.port.js';
import { outsidePayloadOf } from '../../domain/task/outside-payload.js';
import { taskIdOf, taskStream } from '../../domain/task/task.stream.js';
import { readEach, UnreadableStream } from '../../application/kernel/unreadable-stream.js';
import { PostgresPool } from '../database/postgres-pool.js';
import { inTransaction } from '../database/transaction.js';
import { type ErasedTask, erasedTask } from './erased-task.js';
import {
  conditionOf,
  ERASED,
  forbiddenOf,
  HELD_BACK,
  keptOf,
  OUTBOX,
  outlookOf,
  REFUSED,
  REMAINING,
  REQUESTS,
  ROWS,
  SAMPLED,
  TEXTS,
  TOLD_SINCE,
  TOTAL,
} from './erasure-statements.js';
import { StoredHalves } from './stored-halves.js';

const MOST_EXAMPLES = 10;

/** Whether somebody else must approve an order. */
export abstract class ErasureApproval {
  abstract readonly isNeeded: boolean;
}

/** Where the store of the events can erase halves, and the rows are in Postgres. */
@Injectable()
export class PostgresErasures extends Erasures {
  constructor(
    private readonly pool: PostgresPool,
    private readonly events: EventReads,
    private readonly grouping: FailureGrouping,
    private readonly approval: ErasureApproval,
    private readonly halves: StoredHalves,
    private readonly payloads: PayloadStore,
  ) {
    super();
  }

  get needApproval(): boolean {
    return this.approval.isNeeded;
  }

  assertPossible(): void {}

  async forbidden(subject: ErasureSubject): Promise<LegalHold | null> {
    if ('ended' in subject) return null;
    const condition = conditionOf(subject, 1);
    const { rows } = await this.pool.query<LegalHold>(forbiddenOf(condition), [...condition.values]);
    return rows[0] ?? null;
  }

  async refusals(tasks: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.pool.query<{ task_id: string }>(HELD_BACK, [tasks]);
    const covered = new Set(rows.map(({ task_id: task }) => task));
    const found = await this.read(tasks);
    const erased = found.flatMap((one) => (one instanceof UnreadableStream ? [] : (one.erased ?? [])));
    const whole = await this.halves.storedWhole(erased);
    const codeOf = (task: string, one: (typeof found)[number]): string | null => {
      if (one instanceof UnreadableStream) return 'STREAM_UNREADABLE';
      if (whole.has(task)) return 'STORED_WHOLE';
      return covered.has(task) && !one.isErased ? 'ERASURE_FORBIDDEN' : null;
    };
    const codes = tasks.map((task, at) => [task, codeOf(task, found[at]!)] as const);
    return new Map(codes.filter((one): one is readonly [string, string] => one[1] !== null));
  }

  async outlook(subject: ErasureSubject): Promise<ErasureOutlook> {
    const condition = conditionOf(subject, 1);
    const { rows } = await this.pool.query<ErasureOutlook>(outlookOf(condition), [...condition.values]);
    return rows[0]!;
  }

  async keep(order: string, subject: ErasureSubject): Promise<void> {
    const condition = conditionOf(subject, 2);
    await this.pool.query(keptOf(condition), [order, ...condition.values]);
  }

  async keepToldSince(order: string): Promise<boolean> {
    return (await this.pool.query(TOLD_SINCE, [order])).rowCount !== 0;
  }

  async remaining(order: string, after: string | null, limit: number): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ id: string }>(REMAINING, [order, after, limit]);
    return rows.map(({ id }) => id);
  }

  async erase(order: string, tasks: readonly string[]): Promise<void> {
    const histories = await this.events.readStreams(tasks.map(taskStream));
    // Before the halves, which alone say where the payloads are: a repetition finds them there.
    for (const [at, task] of tasks.entries())
      for (const place of placesOutside(task, histories[at]!)) await this.payloads.delete(place);
    const erased = histories.map((history, at) => this.erasedTask(tasks[at]!, history));
    if (erased.length > 0) await this.write(order, erased);
  }

  eraseOutbox(order: string): Promise<void> {
    return inTransaction(this.pool, async (connection) => {
      for (const text of OUTBOX) await connection.query(text, [order]);
    });
  }

  async forgetRequests(order: string): Promise<void> {
    await this.pool.query(REQUESTS, [order]);
  }

  /** One by one, so that each has the time of a statement. */
  async eraseSamples(): Promise<void> {
    for (const table of SAMPLED) await this.pool.query(`analyze ${table}`);
  }

  async isApproved(order: string): Promise<boolean> {
    const [history] = await this.events.readStreams([taskStream(order)]);
    const { actor } = history![0]!.envelope;
    return history!.some(({ event, envelope }) => event.type === 'TaskReleased' && envelope.actor !== actor);
  }

  async refuse(order: string, task: string, code: string): Promise<void> {
    await this.pool.query(`update erasure_items set outcome = $3 where erasure = $1 and kind = 'task' and id = $2`, [
      order,
      task,
      code,
    ]);
  }

  async result(order: string): Promise<ErasureResult> {
    const { rows: refused } = await this.pool.query<{ code: string; tasks: number; first: string[] }>(REFUSED, [order]);
    const { rows } = await this.pool.query<{ erased: number; halves: number; outbox: number }>(TOTAL, [order]);
    const examples = refused.flatMap(({ code, first }) => first.map((task) => ({ task, code })));
    return {
      ...rows[0]!,
      refused: Object.fromEntries(refused.map(({ code, tasks }) => [code, tasks])),
      examples: examples.slice(0, MOST_EXAMPLES),
    };
  }

  private read(tasks: readonly string[]) {
    const read = (streams: readonly string[]) => this.events.readFirst(streams);
    return readEach(tasks.map(taskStream), read, (history, stream) => ({
      isErased: history.some(({ event }) => event.type === 'TaskErased'),
      erased: history.length === 0 ? null : this.erasedTask(taskIdOf(stream), history),
    }));
  }

  private erasedTask(task: string, history: readonly RecordedEvent[]): ErasedTask {
    return erasedTask(task, history, this.grouping.groupOf.bind(this.grouping));
  }

  private write(order: string, erased: readonly ErasedTask[]): Promise<void> {
    const ids = erased.map(({ row }) => row.task_id);
    const positions = erased.flatMap((one) => one.positions);
    const rowsOf = JSON.stringify(erased.map(({ row }) => row));
    return inTransaction(this.pool, async (connection) => {
      const halves = await this.halves.erase(connection, erased);
      // Before the rows, whose labels name the targets.
      await connection.query(TEXTS, [ids, positions]);
      for (const text of ROWS) await connection.query(text, [rowsOf]);
      await connection.query('delete from task_progress where task_id = any ($1::uuid[])', [ids]);
      const recorded = JSON.stringify(erased.map((one) => one.recorded));
      await connection.query(ERASED, [order, recorded, JSON.stringify(halves)]);
    });
  }
}

/** Also of payloads that a person replaced. */
const placesOutside = (task: string, history: readonly RecordedEvent[]): PayloadPlace[] =>
  history.flatMap(({ event }) => {
    const outside = outsidePayloadOf(event);
    return outside === null ? [] : [{ task, ...outside }];
  });
