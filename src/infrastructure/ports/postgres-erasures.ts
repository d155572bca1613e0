import { Injectable } from '@nestjs/common';
import {
  type ErasureOutlook,
  type ErasureResult,
  type ErasureSubject,
  Erasures,
  type LegalHold,
} from '../../application/erasures/erasures.port.js';
import { FailureGrouping } from '../../application/failure-groups/failure-grouping.port.js';
import { EventReads } from '../../application/kernel/event-store.port.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { PostgresPool } from '../database/postgres-pool.js';
import { inTransaction } from '../database/transaction.js';
import { type ErasedTask, erasedTask } from './erased-task.js';

/** Which rows are of a subject. */
interface Condition {
  readonly text: string;
  readonly ofOutbox: string;
  readonly values: readonly string[];
}

const KEPT = `insert into erasure_tasks (erasure, task_id) select $1, task_id from known_tasks where `;
const OUTLOOK = `select count(*)::int as tasks, count(*) filter (where state in ('prepared', 'pending', 'held', 'running', 'undecided')
  or state = 'failed' and key is not null)::int as open from known_tasks where `;
const FORBIDDEN = `select h.name as hold, h.placed_by as by, h.reason from holds h
  where h.forbids_erasure and h.state = 'placed' and exists (select from known_tasks t where t.labels @> h.labels and `;
const HELD_BACK = `select t.task_id from known_tasks t where t.task_id = any ($1::uuid[])
  and exists (select from holds h where h.forbids_erasure and h.state = 'placed' and t.labels @> h.labels)`;
const REMAINING = `select task_id from erasure_tasks where erasure = $1 and outcome is null and ($2::uuid is null or task_id > $2)
  order by task_id limit $3`;
const ROWS = ['tasks', 'tasks_archive'].map(
  (
    table,
  ) => `update ${table} t set key = null, reference = null, labels = null, description = null, error = r.error, payload_terms = r.terms
    from jsonb_to_recordset($1) as r(task uuid, error text, terms jsonb) where t.task_id = r.task`,
);
const ERASED = `update erasure_tasks e set outcome = 'ERASED', halves = e.halves + coalesce((select r.halves from jsonb_to_recordset($3) as r(stream uuid, halves int)
  where r.stream = e.task_id), 0) where e.erasure = $1 and e.task_id = any ($2::uuid[])`;
const REFUSED = `select outcome as code, count(*)::int as tasks, (array_agg(task_id order by task_id))[1:10] as first from erasure_tasks
  where erasure = $1 and outcome <> 'ERASED' group by outcome order by outcome`;
const TOTAL = `select count(*)::int as erased, coalesce(sum(halves), 0)::int as halves from erasure_tasks where erasure = $1 and outcome = 'ERASED'`;
const MOST_EXAMPLES = 10;

/** Whether somebody else must approve an order. */
export abstract class ErasureApproval {
  abstract readonly isNeeded: boolean;
}

/** Halves in the table of the log. */
@Injectable()
export class PostgresErasures extends Erasures {
  constructor(
    private readonly pool: PostgresPool,
    private readonly events: EventReads,
    private readonly grouping: FailureGrouping,
    private readonly approval: ErasureApproval,
  ) {
    super();
  }

  get needApproval(): boolean {
    return this.approval.isNeeded;
  }

  assertPossible(): void {}

  async forbidden(subject: ErasureSubject): Promise<LegalHold | null> {
    const { text, values } = conditionOf(subject, 1);
    const { rows } = await this.pool.query<LegalHold>(`${FORBIDDEN}${text}) order by h.name limit 1`, [...values]);
    return rows[0] ?? null;
  }

  async heldBack(tasks: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.pool.query<{ task_id: string }>(HELD_BACK, [tasks]);
    const covered = rows.map(({ task_id: task }) => task);
    const histories = await this.events.readStreams(covered.map(taskStream));
    return new Set(covered.filter((_, at) => !histories[at]!.some(({ event }) => event.type === 'TaskErased')));
  }

  async outlook(subject: ErasureSubject): Promise<ErasureOutlook> {
    const { text, values } = conditionOf(subject, 1);
    const { rows } = await this.pool.query<ErasureOutlook>(OUTLOOK + text, [...values]);
    return rows[0]!;
  }

  async keep(order: string, subject: ErasureSubject): Promise<void> {
    const { text, values } = conditionOf(subject, 2);
    const { ofOutbox } = conditionOf(subject, 1);
    await inTransaction(this.pool, async (connection) => {
      await connection.query(KEPT + text, [order, ...values]);
      await connection.query(`delete from waybill_outbox where refusal is not null and ${ofOutbox}`, [...values]);
    });
  }

  async remaining(order: string, after: string | null, limit: number): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ task_id: string }>(REMAINING, [order, after, limit]);
    return rows.map(({ task_id: task }) => task);
  }

  async erase(order: string, tasks: readonly string[]): Promise<void> {
    const histories = await this.events.readStreams(tasks.map(taskStream));
    const groupOf = this.grouping.groupOf.bind(this.grouping);
    const erased = histories.map((history, at) => erasedTask(tasks[at]!, history, groupOf));
    if (erased.length > 0) await this.write(order, erased);
  }

  async isApproved(order: string): Promise<boolean> {
    const [history] = await this.events.readStreams([taskStream(order)]);
    const { actor } = history![0]!.envelope;
    return history!.some(({ event, envelope }) => event.type === 'TaskReleased' && envelope.actor !== actor);
  }

  async refuse(order: string, task: string, code: string): Promise<void> {
    await this.pool.query('update erasure_tasks set outcome = $3 where erasure = $1 and task_id = $2', [
      order,
      task,
      code,
    ]);
  }

  async result(order: string): Promise<ErasureResult> {
    const { rows: refused } = await this.pool.query<{ code: string; tasks: number; first: string[] }>(REFUSED, [order]);
    const { rows } = await this.pool.query<{ erased: number; halves: number }>(TOTAL, [order]);
    const examples = refused.flatMap(({ code, first }) => first.map((task) => ({ task, code })));
    return {
      ...rows[0]!,
      refused: Object.fromEntries(refused.map(({ code, tasks }) => [code, tasks])),
      examples: examples.slice(0, MOST_EXAMPLES),
    };
  }

  private write(order: string, erased: readonly ErasedTask[]): Promise<void> {
    const ids = erased.map(({ row }) => row.task);
    const halves = erased.flatMap((one) => one.halves);
    const rowsOf = JSON.stringify(erased.map(({ row }) => row));
    return inTransaction(this.pool, async (connection) => {
      const { rows } = await connection.query('select stream, halves from waybill_erase($1, $2)', [
        halves.map(({ position }) => position),
        halves.map(({ rest }) => rest),
      ]);
      for (const text of ROWS) await connection.query(text, [rowsOf]);
      await connection.query('delete from task_progress where task_id = any ($1::uuid[])', [ids]);
      await connection.query(ERASED, [order, ids, JSON.stringify(rows)]);
    });
  }
}

/** `first`: the number of its first parameter. */
function conditionOf(subject: ErasureSubject, first: number): Condition {
  const [one, other] = [`$${first}`, `$${first + 1}`];
  if ('task' in subject)
    return { text: `task_id = ${one}::uuid`, ofOutbox: `id = ${one}::uuid`, values: [subject.task] };
  if ('key' in subject) {
    const text = `queue = ${one} and key = ${other}`;
    return { text, ofOutbox: text, values: [subject.key.queue, subject.key.key] };
  }
  const text = `labels @> jsonb_build_object(${one}::text, ${other}::text)`;
  return { text, ofOutbox: text, values: [subject.label.name, subject.label.value] };
}
