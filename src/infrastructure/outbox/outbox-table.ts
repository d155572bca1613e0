import { Injectable } from '@nestjs/common';
import type { EnqueueItem, EnqueueRejection } from '../../application/tasks/enqueue-tasks.handler.js';
import { STEP_BYTES } from '../../domain/kernel/byte-budget.js';
import type { Json } from '../../domain/kernel/json.js';
import { PostgresPool } from '../database/postgres-pool.js';
import { UUID_TEXT } from '../../domain/kernel/patterns.js';

/** A row of the outbox: the task, and the actor who left it. */
export interface OutboxRow {
  readonly id: string;
  readonly actor: string;
  readonly item: EnqueueItem;
}

export interface RefusedRow {
  readonly id: string;
  readonly rejection: EnqueueRejection;
}

/** Of the rows that are tried again. */
const RETRIED_AT_ONCE = 100;

/** With the pauses between them, about a day. */
const MOST_TRIES = 300;

/** A producer may have given the queue's id. */
const NAME_OF_QUEUE = `case when queue ~* '^${UUID_TEXT}$'
  then coalesce((select q.name from queues q where q.id = o.queue::uuid), queue) else queue end`;

/** The columns that a row's task takes over as they are. One that is null says nothing. */
const COLUMNS = {
  kind: 'kind',
  key: 'key',
  reference: 'reference',
  priority: 'priority',
  dueAt: 'due_at',
  expiresAt: 'expires_at',
  ttlMs: 'ttl_ms::float8',
  deadlineAt: 'deadline_at',
  labels: 'labels',
  description: 'description',
  steps: 'steps',
  context: 'context',
  auditContext: 'audit_context',
  data: 'data',
} satisfies { readonly [Field in keyof EnqueueItem]?: string };

const TAKEN_OVER = Object.entries(COLUMNS).map(([field, column]) => `${column} as "${field}"`);

interface SelectedRow {
  readonly id: string;
  readonly actor: string;
  readonly queue: string;
  readonly payload: Json;
  readonly hasPayload: boolean;
  readonly more: boolean;
}

/**
 * The rows of `waybill_outbox`. Nothing locks a row between reading and removing it: if two relays take the same one,
 * its id makes it one task.
 */
@Injectable()
export class OutboxTable {
  constructor(private readonly pool: PostgresPool) {}

  /**
   * The oldest rows that are new, and the longest overdue of those that are tried again, so that neither hold back the
   * others. Each part has payloads and data of `STEP_BYTES` at most, or one larger row. `more`: there may be others.
   */
  async oldest(limit: number): Promise<{ readonly rows: readonly OutboxRow[]; readonly more: boolean }> {
    const { rows } = await this.pool.query<SelectedRow>({
      name: 'waybill_outbox_oldest',
      text: `select id, actor, ${NAME_OF_QUEUE} as queue, ${TAKEN_OVER.join(', ')}, payload, payload is not null as "hasPayload",
          candidates = case when retry_at is null then $1::int else ${RETRIED_AT_ONCE} end or candidates > count(*) over part as more
        from (select o.*, bytes, count(*) over (partition by retry_at is null) as candidates, sum(bytes) over (partition by retry_at is null order by seq) as upto
          from ((select * from waybill_outbox where refusal is null and retry_at is null order by seq limit $1::int)
              union all (select * from waybill_outbox where refusal is null and retry_at <= now() order by retry_at limit ${RETRIED_AT_ONCE})) o,
            lateral (select coalesce(octet_length(payload::text), 0) + coalesce(octet_length(data::text), 0) as bytes) size) o
        where upto <= $2 or upto = bytes
        window part as (partition by retry_at is null) order by seq`,
      values: [limit, STEP_BYTES],
    });
    return { rows: rows.map(rowOf), more: rows.some(({ more }) => more) };
  }

  /**
   * Tries the rows again after a second, and after twice as long each further time, up to five minutes. After about a day a row is
   * refused. Returns the ids of those.
   */
  async postpone(ids: readonly string[]): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ id: string; is_over: boolean }>(
      `update waybill_outbox set tries = tries + 1, retry_at = now() + least(300, power(2, least(tries, 10))) * interval '1 second',
         refusal = case when tries + 1 >= ${MOST_TRIES} then jsonb_build_object('code', 'CONTENTION', 'tries', tries + 1) end,
         refused_at = case when tries + 1 >= ${MOST_TRIES} then now() end
       where id = any($1) returning id, refusal is not null as is_over`,
      [ids],
    );
    return rows.filter(({ is_over: isOver }) => isOver).map(({ id }) => id);
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.pool.query('delete from waybill_outbox where id = any($1)', [ids]);
  }

  /** Stores the reason with each row. The rows stay, but are not read again. */
  async refuse(refused: readonly RefusedRow[]): Promise<void> {
    await this.pool.query(
      `update waybill_outbox o set refusal = r.rejection, refused_at = now()
       from jsonb_to_recordset($1::jsonb) as r(id uuid, rejection jsonb) where o.id = r.id`,
      [JSON.stringify(refused)],
    );
  }
}

function rowOf(selected: SelectedRow): OutboxRow {
  const { id, actor, queue, payload, hasPayload } = selected;
  const given = Object.entries(selected).filter(([name, value]) => name in COLUMNS && value !== null);
  return { id, actor, item: { ...Object.fromEntries(given), queue, taskId: id, ...(hasPayload && { payload }) } };
}
