import { Injectable } from '@nestjs/common';
import { WakeUps } from '../../application/kernel/wake-ups.port.js';
import { PostgresPool } from '../database/postgres-pool.js';

/** What remains to be done about the tasks that wait for a task or a batch. */
export interface Consequence {
  readonly id: string;
  readonly what: 'unblock' | 'abort';
}

/** A task that waits for what was aborted. */
export interface Dependant {
  readonly taskId: string;
  readonly prerequisite: string;
}

/** How many tasks one transaction unblocks. It holds the log lock for some 20 ms. */
const UNBLOCK_AT_ONCE = 1_000;
const ABORT_AT_ONCE = 500;

const FIND = { name: 'waybill_consequences', text: 'select id, what from consequences limit $1' };

/**
 * Carries out what an append left to be done later because many tasks wait for what it ended. What remains is stored, so
 * any process continues it.
 */
@Injectable()
export class Consequences {
  constructor(
    private readonly pool: PostgresPool,
    private readonly wakeUps: WakeUps,
  ) {}

  async find(limit: number): Promise<readonly Consequence[]> {
    return (await this.pool.query<Consequence>({ ...FIND, values: [limit] })).rows;
  }

  /** Unblocks some of the tasks, and has the sweeper look again for the others. */
  async unblock(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const { rows } = await this.pool.query<{ queues: readonly string[] }>(
      'select waybill_unblock_rest($1, $2) as queues',
      [ids, UNBLOCK_AT_ONCE],
    );
    for (const queue of rows[0]!.queues) this.wakeUps.queueReady(queue);
    this.wakeUps.scheduleChanged();
  }

  /** Some of the tasks to abort. Once there are none, forgets the consequence. */
  async toAbort(ids: readonly string[]): Promise<readonly Dependant[]> {
    if (ids.length === 0) return [];
    const { rows } = await this.pool.query<{ task_id: string; prerequisite: string }>(
      'select task_id, prerequisite from waybill_to_abort($1, $2)',
      [ids, ABORT_AT_ONCE],
    );
    if (rows.length > 0) this.wakeUps.scheduleChanged();
    return rows.map(({ task_id: taskId, prerequisite }) => ({ taskId, prerequisite }));
  }
}
