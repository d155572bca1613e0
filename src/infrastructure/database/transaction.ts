import type { PostgresConnection, PostgresPool } from './postgres-pool.js';

type Work<T> = (connection: PostgresConnection) => Promise<T>;

/** Waits for statements that were sent together. Rejects as the first that failed: those after it failed because of it. */
export async function inTurn(answers: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(answers)).find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}

/** Commits what `work` wrote, or nothing of it. */
export const inTransaction = <T>(pool: PostgresPool, work: Work<T>): Promise<T> =>
  onConnection(pool, async (connection) => {
    // Sent together with the work's first statement.
    const [, result] = await Promise.all([connection.query('begin'), work(connection)]);
    await connection.query('commit');
    return result;
  });

/**
 * As `inTransaction`, for work that sends all its statements before it waits for any: the commit leaves with them, and commits nothing
 * where one of them failed. Under load each wait is one for a turn of a busy event loop: without it the median lag of read models fell
 * from 57 ms to none.
 */
export const inOneTurn = <T>(pool: PostgresPool, work: Work<T>): Promise<T> =>
  onConnection(pool, async (connection) => {
    const begun = connection.query('begin');
    const result = work(connection);
    await inTurn([begun, result, connection.query('commit')]);
    return result;
  });

/** Lends `work` a connection, which is not used again where it failed. */
export async function onConnection<T>(pool: PostgresPool, work: Work<T>): Promise<T> {
  const connection = await pool.connect();
  try {
    const result = await work(connection);
    connection.release();
    return result;
  } catch (error) {
    connection.release(error as Error);
    throw error;
  }
}
