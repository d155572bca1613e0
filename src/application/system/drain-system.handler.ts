import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type DrainCommand, drainDecider } from '../../domain/system/drain.decider.js';
import type { Drain } from '../../domain/system/drain.events.js';
import { DRAIN_STREAM } from '../../domain/system/drain.stream.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { newId } from '../kernel/new-id.js';
import { receiptOf } from '../kernel/receipt.js';

/** Stops giving out tasks. Repeated with other values, it changes the drain. */
export class BeginDrain extends Command<Receipt> {
  constructor(
    readonly drain: Drain,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Gives out tasks again. `resume`: the tasks that the drain stopped are retried. */
export class EndDrain extends Command<Receipt> {
  constructor(
    readonly resume: boolean,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(BeginDrain)
export class BeginDrainHandler implements ICommandHandler<BeginDrain> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
  ) {}

  execute({ drain, context }: BeginDrain): Promise<Receipt> {
    const given = { id: newId(), by: context.actor, at: this.clock.iso() };
    return run(this.runner, { type: 'BeginDrain', drain, ...given }, context);
  }
}

@CommandHandler(EndDrain)
export class EndDrainHandler implements ICommandHandler<EndDrain> {
  constructor(private readonly runner: DeciderRunner) {}

  execute({ resume, context }: EndDrain): Promise<Receipt> {
    return run(this.runner, { type: 'EndDrain', resume }, context);
  }
}

async function run(runner: DeciderRunner, command: DrainCommand, context: CommandContext): Promise<Receipt> {
  const outcome = await runner.run(drainDecider, { stream: DRAIN_STREAM, command, load: 'fresh' }, context);
  if (outcome.kind === 'refused' || outcome.kind === 'rejected')
    throw new Error(`Expected a drain to meet no condition, but got '${JSON.stringify(outcome)}'`);
  return receiptOf('drain', outcome);
}
