import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { FailPlans, type FailedPlan } from '../../../application/batches/fail-plans.handler.js';
import type { LeaderTerm } from '../../../application/kernel/leader-term.js';
import { PostgresPool } from '../../database/postgres-pool.js';
import { type Chore, contextOfRound } from '../chore.js';

const WITHOUT_PLAN = {
  name: 'waybill_batches_without_plan',
  text: `select b.id, coalesce(t.error, 'The task that plans the batch was ' || t.state) as error
    from batches b join tasks t on t.task_id = b.planner and t.state in ('failed', 'aborted', 'deleted')
    where b.plan_ended and b.state = 'planning' limit $1`,
};

/** Fails the batches whose planners have ended without success. */
@Injectable()
export class FailPlansOfBatches implements Chore<FailedPlan> {
  readonly name = 'fail plans of batches';
  readonly idOf = ({ id }: FailedPlan) => id;

  constructor(
    private readonly commands: CommandBus,
    private readonly pool: PostgresPool,
  ) {}

  async find(limit: number): Promise<readonly FailedPlan[]> {
    return (await this.pool.query<FailedPlan>({ ...WITHOUT_PLAN, values: [limit] })).rows;
  }

  act(plans: readonly FailedPlan[], term: LeaderTerm): Promise<number> {
    return this.commands.execute(new FailPlans(plans, contextOfRound(term)));
  }
}
