import { Injectable } from '@nestjs/common';
import { Mutex } from '../../application/kernel/mutex.js';
import { type Turn, Turns } from '../../application/kernel/turns.port.js';
import { CONTENDED_LOCK, DEFINITIONS_LOCK } from '../database/locks.js';
import { PostgresPool } from '../database/postgres-pool.js';

const LOCKS: Readonly<Record<Turn, string>> = { definitions: DEFINITIONS_LOCK, contended: CONTENDED_LOCK };

@Injectable()
export class PostgresTurns extends Turns {
  /** Those who want a lock wait here in line, so that only one connection of this process waits for it. */
  private readonly lines: Readonly<Record<Turn, Mutex>> = { definitions: new Mutex(), contended: new Mutex() };

  constructor(private readonly pool: PostgresPool) {
    super();
  }

  alone<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    return this.lines[turn].run(() => this.locked(LOCKS[turn], work));
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
