import type { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';

/** Beyond the places of real tasks. */
const BEHIND = 1_000_000_000;

/** Each statement of a queue with `fair: { label: 'tenant' }`; the tasks have the values in turn. */
const READY = `
  insert into ready (queue, priority, from_seq, to_seq, task_id, lane)
    select q.name, 0, ${BEHIND} + n, ${BEHIND} + n, gen_random_uuid(), l.lane
    from queues q cross join lateral (
      select v, waybill_lane(q, jsonb_build_object('tenant', $2::text || v), null) as lane from generate_series(0, $3::int - 1) v offset 0) l
      cross join generate_series(l.v, $4::int - 1, $3::int) n
    where q.name = $1`;
const TURNS = `
  insert into turns (queue, lane, needs, value, at, place)
    select r.queue, r.lane, (select waybill_turn_needs(q, r.lane) from queues q where q.name = r.queue), waybill_lane_turn(r.lane), coalesce((select l.at from laned l where l.queue = r.queue), 0), r.from_seq
    from ready r where r.queue = $1 and r.from_seq between ${BEHIND} and ${BEHIND} - 1 + $2::int on conflict do nothing`;

export interface WaitingLanes {
  readonly queue: string;
  /** The values are this and a number. */
  readonly prefix: string;
  readonly values: number;
  readonly tasks: number;
}

/**
 * Fills the index as if so many tasks waited, behind those that do. They are not in the log, so no claim may get one of them. Counts what a claim or an append
 * looks at, without the time to enqueue a million tasks.
 */
export async function fillLanes(pool: PostgresPool, { queue, prefix, values, tasks }: WaitingLanes): Promise<void> {
  await pool.query(READY, [queue, prefix, values, tasks]);
  await pool.query(TURNS, [queue, values]);
  await pool.query('analyze ready, turns');
}
