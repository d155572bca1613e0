import type { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';

/** The lease of the task with this fencing token passes its deadline, and no other does. */
export async function passLease(pool: PostgresPool, token: string): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `select case when l.open = 1 then l.id else waybill_split_lease(l, array[t.task_id]) end as id
     from task_leases t join leases l on l.id = t.lease where t.token = $1`,
    [token],
  );
  await pool.query(`update leases set deadline = now() - interval '1 second' where id = $1`, [rows[0]?.id]);
}
