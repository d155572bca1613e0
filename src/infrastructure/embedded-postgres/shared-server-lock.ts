import pg from 'pg';
import { isConnectionError } from '../../application/kernel/connection-errors.js';
import { hasCode } from './errors.js';

const LOCK = [0x77_61_79, 0x62_69_6c_6c]; // 'way', 'bill'

/** 53300: it serves, but has no connection left. */
const doesNotServe = (error: unknown): boolean => isConnectionError(error) && !hasCode(error, '53300');

/** A connection whose shared lock shows other processes that this one uses the server. */
export class SharedServerLock {
  private readonly losing = new AbortController();

  private constructor(
    readonly url: string,
    private readonly client: pg.Client,
  ) {
    client.on('error', (error) => this.losing.abort(error));
  }

  /** Aborts, with the error as its reason, when the server ends the connection. */
  get lost(): AbortSignal {
    return this.losing.signal;
  }

  /** Undefined if the server does not accept connections, yet or any more. */
  static async take(url: string): Promise<SharedServerLock | undefined> {
    const lock = new SharedServerLock(url, new pg.Client({ connectionString: url, keepAlive: true }));
    try {
      await lock.client.connect();
      // The connection says nothing for as long as the lock is held.
      await lock.client.query('SET idle_session_timeout = 0');
      await lock.client.query('SELECT pg_advisory_lock_shared($1, $2)', LOCK);
      return lock;
    } catch (error) {
      void lock.leave();
      if (doesNotServe(error)) return undefined;
      throw error;
    }
  }

  /** This lock, or taken anew if the connection is lost. Undefined if the server does not run. */
  async ifServed(): Promise<SharedServerLock | undefined> {
    return this.lost.aborted ? SharedServerLock.take(this.url) : this;
  }

  /** Gives the lock up, and tells whether nobody else has it. */
  async giveUp(): Promise<{ readonly wasLast: boolean }> {
    try {
      await this.client.query('SELECT pg_advisory_unlock_shared($1, $2)', LOCK);
      const { rows } = await this.client.query<{ last: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS last', LOCK);
      return { wasLast: rows[0]?.last === true };
    } catch (error) {
      // Another process left between the two statements, found itself to be the last, and shut the server down.
      if (isConnectionError(error)) return { wasLast: false };
      throw error;
    }
  }

  async leave(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}
