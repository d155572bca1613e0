import type { PostgresConnection, PostgresPool } from '../persistence/postgres-pool.js';

/** Waits for statements that were sent together. Rejects as the first that failed: those after it failed because of it. */
export async function inTurn(answers: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(answers)).find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}

/** Commits what `work` wrote, or nothing of it. A connection that failed is not used again. */
export async function inTransaction<T>(
  pool: PostgresPool,
  work: (connection: PostgresConnection) => Promise<T>,
): Promise<T> {
  const connection = await pool.connect();
  try {
    // Sent together with the work's first statement.
    const [, result] = await Promise.all([connection.query('begin'), work(connection)]);
    await connection.query('commit');
    connection.release();
    return result;
  } catch (error) {
    connection.release(error as Error);
    throw error;
  }
}
