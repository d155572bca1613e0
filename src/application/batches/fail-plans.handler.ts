import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { batchDecider } from '../../domain/batch/batch.decider.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { BatchStreamCommand } from './batch-stream-command.js';

/** A batch that will not be planned, and why. */
export interface FailedPlan {
  readonly id: string;
  readonly error: string;
}

/** Fails batches whose planners have ended without success. Returns how many. */
export class FailPlans extends Command<number> {
  constructor(
    readonly plans: readonly FailedPlan[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(FailPlans)
export class FailPlansHandler implements ICommandHandler<FailPlans> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
  ) {}

  async execute({ plans, context }: FailPlans): Promise<number> {
    const now = this.clock.iso();
    const work = plans.map(({ id, error }) => new BatchStreamCommand({ type: 'FailPlan', batch: id, error, now }, {}));
    const outcomes = await this.runner.runMany(batchDecider, work, context);
    return outcomes.filter(({ kind }) => kind === 'accepted').length;
  }
}
