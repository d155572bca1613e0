import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource, Not } from 'typeorm';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import { QueueEntity } from './queue.entity.js';

export interface QueueView {
  readonly name: string;
  readonly description: string;
  readonly state: 'active' | 'paused' | 'finished';
  readonly intake: { readonly open: boolean; readonly by?: string; readonly reason?: string | null };
  readonly pause?: { readonly by: string; readonly reason: string | null; readonly until: string | null };
  readonly policy: QueuePolicy;
  readonly policyVersion: number;
  readonly revision: number;
  readonly position: string;
}

/** Null where no queue has the name; a deleted one has none any more. */
export class GetQueue extends Query<QueueView | null> {
  constructor(readonly name: string) {
    super();
  }
}

@QueryHandler(GetQueue)
export class GetQueueHandler implements IQueryHandler<GetQueue> {
  constructor(private readonly db: DataSource) {}

  async execute({ name }: GetQueue): Promise<QueueView | null> {
    const row = await this.db.getRepository(QueueEntity).findOneBy({ name, status: Not('deleted') });
    return row && viewOf(row);
  }
}

/** By name. */
export class ListQueues extends Query<readonly QueueView[]> {}

@QueryHandler(ListQueues)
export class ListQueuesHandler implements IQueryHandler<ListQueues> {
  constructor(private readonly db: DataSource) {}

  async execute(): Promise<readonly QueueView[]> {
    const rows = await this.db
      .getRepository(QueueEntity)
      .find({ where: { status: Not('deleted') }, order: { name: 'ASC' } });
    return rows.map(viewOf);
  }
}

function viewOf(row: QueueEntity): QueueView {
  const { name, description, policy, policyVersion, revision, position } = row;
  const state = row.status as QueueView['state'];
  const common = { name, description, state, intake: intakeOf(row), policy, policyVersion, revision, position };
  return row.status === 'paused' ? { ...common, pause: pauseOf(row) } : common;
}

const intakeOf = ({ intakeOpen, intakeBy, intakeReason }: QueueEntity): QueueView['intake'] =>
  intakeOpen ? { open: true } : { open: false, by: intakeBy!, reason: intakeReason };

const pauseOf = ({ pauseBy, pauseReason, pauseUntil }: QueueEntity): NonNullable<QueueView['pause']> => ({
  by: pauseBy!,
  reason: pauseReason,
  until: pauseUntil?.toISOString() ?? null,
});
