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
import { ReadPositions } from '../../application/kernel/read-positions.port.js';
import { AGGREGATES } from '../../domain/aggregates.js';
import type { ErasedKind } from '../../domain/erased-by.js';
import { approvalIn } from '../../domain/kernel/approval.js';
import { outsidePayloadOf } from '../../domain/task/outside-payload.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { readEach, UnreadableStream } from '../../application/kernel/unreadable-stream.js';
import { LINEAGE } from '../../projections/read-models.js';
import { PostgresPool } from '../database/postgres-pool.js';
import { inTransaction } from '../database/transaction.js';
import { contentsOf, heldBackOf, REPORTED, SAMPLED, writesOf } from './erasable.js';
import { type ErasedStream, erasedStream } from './erased-stream.js';
import {
  conditionOf,
  ERASED,
  forbiddenOf,
  keptOf,
  LANES,
  OUTBOX,
  outlookOf,
  REFUSE,
  REFUSED,
  REMAINING,
  REQUESTS,
  TEXTS,
  TOLD_SINCE,
  TOTAL,
} from './erasure-statements.js';
import { ordersNaming } from './orders-naming.js';
import { StoredHalves } from './stored-halves.js';

const MOST_EXAMPLES = 10;
/** How long the lineage has to come to the end of the log. */
const PATIENCE_MS = 20_000;

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
    private readonly positions: ReadPositions,
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
    const { rows } = await this.pool.query<LegalHold>(forbiddenOf(condition), [...condition.values, []]);
    return rows[0] ?? null;
  }

  async refusals(kind: ErasedKind, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.pool.query<{ id: string }>(heldBackOf(kind), [ids]);
    const covered = new Set(rows.map(({ id }) => id));
    const found = await this.read(kind, ids);
    const there = found.flatMap((one) => (one instanceof UnreadableStream ? [] : (one ?? [])));
    const whole = await this.halves.storedWhole(there);
    const codeOf = (id: string, one: (typeof found)[number]): string | null => {
      if (one instanceof UnreadableStream) return 'STREAM_UNREADABLE';
      if (whole.has(id)) return 'STORED_WHOLE';
      return covered.has(id) && (one?.recorded ?? null) === null ? 'ERASURE_FORBIDDEN' : null;
    };
    const codes = ids.map((id, at) => [id, codeOf(id, found[at]!)] as const);
    return new Map(codes.filter((one): one is readonly [string, string] => one[1] !== null));
  }

  async outlook(subject: ErasureSubject): Promise<ErasureOutlook> {
    const condition = conditionOf(subject, 1);
    const orders = await ordersNaming(subject, this.pool, this.events);
    const { rows } = await this.pool.query<ErasureOutlook>(outlookOf(condition), [...condition.values, orders]);
    return rows[0]!;
  }

  async keep(order: string, subject: ErasureSubject): Promise<void> {
    const condition = conditionOf(subject, 2);
    const orders = await ordersNaming(subject, this.pool, this.events);
    await this.pool.query(keptOf(condition), [order, ...condition.values, orders]);
  }

  async keepToldSince(order: string, { triggered }: { readonly triggered: boolean }): Promise<boolean | null> {
    const reached = await this.positions.waitFor(LINEAGE.name, await this.events.head(), PATIENCE_MS);
    return reached === null ? null : (await this.pool.query(TOLD_SINCE, [order, triggered])).rowCount !== 0;
  }

  async remaining(order: string, kind: ErasedKind, after: string | null, limit: number): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ id: string }>(REMAINING, [order, kind, after, limit]);
    return rows.map(({ id }) => id);
  }

  async erase(order: string, kind: ErasedKind, ids: readonly string[]): Promise<void> {
    const streams = ids.map(AGGREGATES[kind].streamOf);
    const histories = await this.events.readStreams(streams);
    // Before the halves, which alone say where the payloads are: a repetition finds them there.
    for (const [at, id] of ids.entries())
      for (const place of placesOutside(id, histories[at]!)) await this.payloads.delete(place);
    // Before the rows, which say the labels.
    if (kind === 'task') await this.pool.query(LANES, [ids]);
    const erased = histories.map((history, at) => this.erased(kind, streams[at]!, history));
    if (erased.length > 0) await this.write(order, kind, erased);
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
    const steps = history!.map(({ event, envelope }) => ({ ...event, actor: envelope.actor }));
    return approvalIn(steps) !== undefined;
  }

  async refuse(order: string, kind: ErasedKind, id: string, code: string): Promise<void> {
    await this.pool.query(REFUSE, [order, kind, id, code]);
  }

  async result(order: string): Promise<ErasureResult> {
    const { rows: refused } = await this.pool.query<RefusedItems>(REFUSED, [order]);
    const { rows } = await this.pool.query<Omit<ErasureResult, 'refused' | 'examples'>>(TOTAL, [order]);
    const counts: Record<string, number> = {};
    for (const { code, items } of refused) counts[code] = (counts[code] ?? 0) + items;
    const examples = refused.flatMap(({ code, kind, first }) =>
      first.map((id) => (kind === 'batch' ? { batch: id, code } : { task: id, code })),
    );
    return { ...rows[0]!, refused: counts, examples: examples.slice(0, MOST_EXAMPLES) };
  }

  private read(kind: ErasedKind, ids: readonly string[]) {
    const read = (streams: readonly string[]) => this.events.readFirst(streams);
    return readEach(ids.map(AGGREGATES[kind].streamOf), read, (history, stream) =>
      history.length === 0 ? null : this.erased(kind, stream, history),
    );
  }

  private erased(kind: ErasedKind, stream: string, history: readonly RecordedEvent[]): ErasedStream {
    return erasedStream(stream, history, {
      contentsOf: contentsOf.bind(null, kind),
      groupOf: this.grouping.groupOf.bind(this.grouping),
    });
  }

  private write(order: string, kind: ErasedKind, erased: readonly ErasedStream[]): Promise<void> {
    const ids = erased.map(({ id }) => id);
    const positions = erased.flatMap((one) => one.positions);
    const rowsOf = JSON.stringify(erased.map(({ row }) => row));
    const recorded = JSON.stringify(erased.map(({ id, recorded: one }) => ({ id, ...one })));
    return inTransaction(this.pool, async (connection) => {
      const halves = await this.halves.erase(connection, erased);
      // Before the rows, whose labels name the targets.
      await connection.query(TEXTS, [ids, positions]);
      for (const text of writesOf(kind)) await connection.query(text, [rowsOf]);
      for (const table of REPORTED)
        await connection.query(`delete from ${table} where task_id = any ($1::uuid[])`, [ids]);
      await connection.query(ERASED, [order, recorded, JSON.stringify(halves), kind]);
    });
  }
}

interface RefusedItems {
  readonly code: string;
  readonly kind: string;
  readonly items: number;
  readonly first: readonly string[];
}

/** Also of payloads that a person replaced. */
const placesOutside = (task: string, history: readonly RecordedEvent[]): PayloadPlace[] =>
  history.flatMap(({ event }) => {
    const outside = outsidePayloadOf(event);
    return outside === null ? [] : [{ task, ...outside }];
  });
