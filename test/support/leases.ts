import type { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { CHANNEL } from '../../src/infrastructure/notify/channel.js';

/** Lets the deadline of the lease with this fencing token pass, and no other. */
export async function passLease(pool: PostgresPool, token: string): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `select case when l.open = 1 then l.id else waybill_split_lease(l, array[t.task_id]) end as id
     from task_leases t join leases l on l.id = t.lease where t.token = $1`,
    [token],
  );
  await pool.query(`update leases set deadline = now() - interval '1 second' where id = $1`, [rows[0]?.id]);
}

/** The workers of these queues are gone: their leases end now, and the service looks at once instead of within five seconds. */
export async function loseWorkers(pool: PostgresPool, ...queues: readonly string[]): Promise<void> {
  await pool.query(`update leases set deadline = now() - interval '1 second' where queue = any ($1)`, [queues]);
  const wakeUp = { from: 'a test', position: '0', schedule: true, queues: [], freed: [] };
  await pool.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(wakeUp)]);
}
