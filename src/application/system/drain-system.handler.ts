import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type SystemCommand, systemDecider } from '../../domain/system/system.decider.js';
import type { Drain } from '../../domain/system/system.events.js';
import { DRAIN_STREAM } from '../../domain/system/system.stream.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { receiptOf } from '../kernel/receipt.js';

/** Stops giving out tasks, for the reason of the context. Repeated with other values, it changes the drain. */
export class DrainSystem extends Command<Receipt> {
  constructor(
    readonly drain: Drain,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Gives out tasks again. `stopped`: the tasks that shutdowns have stopped are retried. */
export class ResumeSystem extends Command<Receipt> {
  constructor(
    readonly stopped: boolean,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(DrainSystem)
export class DrainSystemHandler implements ICommandHandler<DrainSystem> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
  ) {}

  execute({ drain, context }: DrainSystem): Promise<Receipt> {
    const given = { now: this.clock.iso(), by: context.actor, reason: context.reason ?? null };
    return run(this.runner, { type: 'DrainSystem', drain, ...given }, context);
  }
}

@CommandHandler(ResumeSystem)
export class ResumeSystemHandler implements ICommandHandler<ResumeSystem> {
  constructor(private readonly runner: DeciderRunner) {}

  execute({ stopped, context }: ResumeSystem): Promise<Receipt> {
    return run(this.runner, { type: 'ResumeSystem', stopped }, context);
  }
}

async function run(runner: DeciderRunner, command: SystemCommand, context: CommandContext): Promise<Receipt> {
  const outcome = await runner.run(systemDecider, { stream: DRAIN_STREAM, command, load: 'whole' }, context);
  if (outcome.kind === 'refused' || outcome.kind === 'rejected')
    throw new Error(`Expected a drain to meet no condition, but got '${JSON.stringify(outcome)}'`);
  return receiptOf('drain', outcome);
}
