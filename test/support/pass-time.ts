import { CLAIMS_LOCK, LOG_LOCK } from '../../src/infrastructure/database/locks.js';
import type { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { inTransaction } from '../../src/infrastructure/database/transaction.js';

const LIMITS = ['expires_at', 'deadline_at', 'run_until', 'alarm_at'];

const TIMES: Readonly<Record<string, readonly string[]>> = {
  leases: ['deadline'],
  waiting: ['due_at'],
  tasks: ['due_at', 'enqueued_at', 'started_at', 'finished_at', 'failed_at', 'waiting_since', ...LIMITS],
  ready: ['since', 'expires_at'],
  queues: ['pause_until'],
  archives: ['ended_at'],
  delivery_targets: ['closed_until', 'line_until'],
};

/**
 * Moves all times that something waits for towards now, in all rows at once. A service that has locked some of the rows
 * and needs others must be finished first. So this takes the locks of a rebuild, in its order, and locks leases too,
 * because they are extended without those.
 */
export const moveTimes = (pool: PostgresPool, interval: string): Promise<void> =>
  inTransaction(pool, async (connection) => {
    for (const lock of [CLAIMS_LOCK, LOG_LOCK]) await connection.query(`select pg_advisory_xact_lock(${lock})`);
    await connection.query('lock table leases in share row exclusive mode');
    for (const [table, columns] of Object.entries(TIMES)) {
      const moved = columns.map((column) => `${column} = ${column} - $1::interval`);
      await connection.query({ text: `update ${table} set ${moved.join(', ')}`, values: [interval] });
    }
  });
