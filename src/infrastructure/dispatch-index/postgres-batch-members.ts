import { Injectable } from '@nestjs/common';
import { type BatchMember, BatchMembers } from '../../application/batches/batch-members.port.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import { PostgresPool } from '../database/postgres-pool.js';

const COLUMNS = `task_id, state, position, seq from tasks`;

const FIRST = {
  name: 'waybill_first_members',
  text: `select ${COLUMNS} where batch = $1 order by state in ('succeeded', 'superseded'), seq limit $2`,
};
const INCOMPLETE = {
  name: 'waybill_incomplete_members',
  text: `select ${COLUMNS} where batch = $1 and seq > $2 and state not in ('succeeded', 'superseded', 'deleted')
    order by seq limit $3`,
};
const CHANGED = {
  name: 'waybill_changed_members',
  text: `select ${COLUMNS} where batch = $1 and position > $2 and seq > $3 order by seq limit $4`,
};
const LOOKED = { name: 'waybill_ended_reported', text: 'select waybill_ended_reported($1, $2)' };

interface Row {
  readonly task_id: string;
  readonly state: TaskStatus;
  readonly position: string;
  readonly seq: string;
}

@Injectable()
export class PostgresBatchMembers extends BatchMembers {
  constructor(private readonly pool: PostgresPool) {
    super();
  }

  first(batch: string, limit: number): Promise<readonly BatchMember[]> {
    return this.members(FIRST, [batch, limit]);
  }

  incomplete(batch: string, after: bigint, limit: number): Promise<readonly BatchMember[]> {
    return this.members(INCOMPLETE, [batch, after, limit]);
  }

  changedSince(batch: string, position: bigint, after: bigint, limit: number): Promise<readonly BatchMember[]> {
    return this.members(CHANGED, [batch, position, after, limit]);
  }

  async lookedForEnded(batch: string, asOf: bigint): Promise<void> {
    await this.pool.query({ ...LOOKED, values: [batch, asOf] });
  }

  private async members(query: typeof FIRST, values: readonly unknown[]): Promise<readonly BatchMember[]> {
    const { rows } = await this.pool.query<Row>({ ...query, values: [...values] });
    return rows.map(({ task_id: taskId, state, position, seq }) => ({
      taskId,
      state,
      position: BigInt(position),
      seq: BigInt(seq),
    }));
  }
}
