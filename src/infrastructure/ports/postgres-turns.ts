import { Injectable } from '@nestjs/common';
import { type Turn, Turns } from '../../application/kernel/turns.port.js';
import { CONTENDED_LOCK, DEFINITIONS_LOCK } from '../database/locks.js';
import { PostgresPool } from '../database/postgres-pool.js';

const LOCKS: Readonly<Record<Turn, string>> = { definitions: DEFINITIONS_LOCK, contended: CONTENDED_LOCK };

@Injectable()
export class PostgresTurns extends Turns {
  /** The ends of the last works that are to be done alone. In line here, only one connection waits for each lock. */
  private readonly lines = new Map<Turn, Promise<unknown>>();

  constructor(private readonly pool: PostgresPool) {
    super();
  }

  alone<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    const before = this.lines.get(turn) ?? Promise.resolve();
    const done = before.then(() => this.locked(LOCKS[turn], work));
    this.lines.set(
      turn,
      done.catch(() => undefined),
    );
    return done;
  }

  /** The work takes connections of its own, and its commits are seen by the next one. */
  private async locked<T>(key: string, work: () => Promise<T>): Promise<T> {
    const lock = await this.pool.connect();
    try {
      await lock.query(`begin; select pg_advisory_xact_lock(${key})`);
      return await work();
    } finally {
      await lock.query('rollback').then(
        () => lock.release(),
        (error: Error) => lock.release(error),
      );
    }
  }
}
