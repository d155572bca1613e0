import { Injectable } from '@nestjs/common';
import { WakeUps } from '../../application/kernel/wake-ups.port.js';
import { PostgresPool } from '../database/postgres-pool.js';

/** What remains to be done about the tasks that wait for a task or a batch, or are part of a batch. */
export interface Consequence {
  readonly id: string;
  readonly what: 'unblock' | 'abort' | 'open' | 'delete';
}

/** A task that waits for what was aborted. */
export interface Dependant {
  readonly taskId: string;
  readonly prerequisite: string;
}

/** A task of a deleted batch. */
export interface Member {
  readonly taskId: string;
  readonly batch: string;
}

/** How many tasks one transaction unblocks, which takes some 10 ms under the log lock. */
const UNBLOCKED_AT_ONCE = 500;
/** How many tasks are aborted or deleted in one append. */
const END_AT_ONCE = 500;

const ROUNDS = 20;

interface Unblocking {
  readonly queues: readonly string[] | null;
  readonly more: boolean;
}

const FIND = {
  name: 'waybill_consequences',
  text: `select id, what from consequences where what <> 'compare' limit $1`,
};

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

  /** Unblocks the tasks or, of very many, some, and has the sweeper look again for the others. */
  unblock(ids: readonly string[]): Promise<void> {
    return this.unblockSome('waybill_unblock_rest', ids);
  }

  /** Lets the tasks of opened batches go or, of very many, some, and has the sweeper look again for the others. */
  open(ids: readonly string[]): Promise<void> {
    return this.unblockSome('waybill_open_rest', ids);
  }

  /** Some of the tasks to abort. Once there are none, forgets the consequence. */
  async toAbort(ids: readonly string[]): Promise<readonly Dependant[]> {
    const rows = await this.some<{ task_id: string; prerequisite: string }>('waybill_to_abort', ids);
    return rows.map(({ task_id: taskId, prerequisite }) => ({ taskId, prerequisite }));
  }

  /** Some of the tasks to delete. Once there are none, forgets the consequence. */
  async toDelete(ids: readonly string[]): Promise<readonly Member[]> {
    const rows = await this.some<{ task_id: string; batch: string }>('waybill_to_delete', ids);
    return rows.map(({ task_id: taskId, batch }) => ({ taskId, batch }));
  }

  /** Others append between two transactions. A round is bounded, because leases end by other chores. */
  private async unblockSome(name: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    for (let round = 0, more = true; more; round++) {
      if (round === ROUNDS) return this.wakeUps.scheduleChanged();
      const { rows } = await this.pool.query<Unblocking>(`select * from ${name}($1, $2)`, [ids, UNBLOCKED_AT_ONCE]);
      for (const queue of rows[0]!.queues ?? []) this.wakeUps.queueReady(queue);
      more = rows[0]!.more;
    }
  }

  private async some<Row extends object>(name: string, ids: readonly string[]): Promise<readonly Row[]> {
    if (ids.length === 0) return [];
    const { rows } = await this.pool.query<Row>(`select * from ${name}($1, $2)`, [ids, END_AT_ONCE]);
    if (rows.length > 0) this.wakeUps.scheduleChanged();
    return rows;
  }
}
