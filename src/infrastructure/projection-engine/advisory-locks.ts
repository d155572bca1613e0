import type { PostgresConnection, PostgresPool } from '../database/postgres-pool.js';
import { pause } from './backoff.js';

/** A lock that this process holds until it releases it or its connection breaks. */
export interface HeldLock {
  /** Aborts when the connection breaks, after which another process may hold the lock. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

interface Session {
  readonly connection: PostgresConnection;
  readonly lost: AbortController;
  readonly held: Set<string>;
  idle: Promise<unknown>;
}

/**
 * Named locks across all processes on one database, held over one connection of this process. They keep replicas from
 * doing the same work twice; correctness does not depend on them.
 */
export class AdvisoryLocks {
  private session: Promise<Session> | null = null;

  constructor(
    private readonly pool: PostgresPool,
    private readonly retryMs = 1_000,
  ) {}

  /** Waits for the lock. Returns null if `signal` aborts first. */
  async acquire(name: string, signal: AbortSignal): Promise<HeldLock | null> {
    while (!signal.aborted) {
      const lock = await this.tryAcquire(name);
      if (lock) return lock;
      await pause(this.retryMs, signal);
    }
    return null;
  }

  /** Null if the lock is held, by this process or another. */
  async tryAcquire(name: string): Promise<HeldLock | null> {
    const session = await this.open();
    if (session.held.has(name)) return null;
    session.held.add(name);
    const got = await this.take(session, name);
    return got ? { lost: session.lost.signal, release: () => this.release(session, name) } : null;
  }

  /** Closes the connection, which releases every lock. */
  async close(): Promise<void> {
    const session = await this.session?.catch(() => null);
    if (session) this.drop(session);
  }

  private async take(session: Session, name: string): Promise<boolean> {
    const { rows } = await this.ask(session, 'select pg_try_advisory_lock(hashtextextended($1, 0)) as got', name);
    if (!rows[0]!.got) session.held.delete(name);
    return rows[0]!.got;
  }

  private async release(session: Session, name: string): Promise<void> {
    if (session.lost.signal.aborted) return;
    await this.ask(session, 'select pg_advisory_unlock(hashtextextended($1, 0)) as got', name);
    session.held.delete(name);
  }

  /** Asks one question at a time, because the connection takes no second one before it has answered the first. */
  private ask(session: Session, sql: string, name: string): Promise<{ rows: { got: boolean }[] }> {
    const answer = session.idle.then(() => this.askNow(session, sql, name));
    session.idle = answer.catch(() => undefined);
    return answer;
  }

  private async askNow(session: Session, sql: string, name: string): Promise<{ rows: { got: boolean }[] }> {
    try {
      return await session.connection.query(sql, [name]);
    } catch (error) {
      this.drop(session);
      throw error;
    }
  }

  private open(): Promise<Session> {
    this.session ??= this.connect().catch((error: unknown) => {
      this.session = null;
      throw error;
    });
    return this.session;
  }

  private async connect(): Promise<Session> {
    const connection = await this.pool.connect();
    const idle = Promise.resolve();
    const session: Session = { connection, lost: new AbortController(), held: new Set(), idle };
    connection.client.once('error', () => this.drop(session));
    connection.client.once('end', () => this.drop(session));
    return session;
  }

  /** A broken or discarded connection no longer holds locks. */
  private drop(session: Session): void {
    if (session.lost.signal.aborted) return;
    this.session = null;
    session.lost.abort();
    session.connection.release(new Error('its advisory locks end with it'));
  }
}
