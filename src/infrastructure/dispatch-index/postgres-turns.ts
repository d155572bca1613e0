import { Injectable } from '@nestjs/common';
import { Turns } from '../../application/kernel/turns.port.js';
import { DEFINITIONS_LOCK } from '../database/locks.js';
import { PostgresPool } from '../database/postgres-pool.js';

@Injectable()
export class PostgresTurns extends Turns {
  /** The end of the last work that is to be done alone. In line here, only one connection waits for the lock. */
  private line: Promise<unknown> = Promise.resolve();

  constructor(private readonly pool: PostgresPool) {
    super();
  }

  alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.line.then(() => this.locked(work));
    this.line = done.catch(() => undefined);
    return done;
  }

  /** The work takes connections of its own, and its commits are seen by the next one. */
  private async locked<T>(work: () => Promise<T>): Promise<T> {
    const lock = await this.pool.connect();
    try {
      await lock.query(`begin; select pg_advisory_xact_lock(${DEFINITIONS_LOCK})`);
      return await work();
    } finally {
      await lock.query('rollback').then(
        () => lock.release(),
        (error: Error) => lock.release(error),
      );
    }
  }
}
