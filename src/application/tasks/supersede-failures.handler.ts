import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { taskDecider } from '../../domain/task/task.decider.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { KeyFailures } from './key-failures.port.js';

/** Supersedes the failed tasks of a key after a success. Returns how many it superseded. */
export class SupersedeFailures extends Command<number> {
  constructor(
    readonly queue: string,
    readonly key: string,
    /** The task that succeeded. */
    readonly bySuccessOf: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(SupersedeFailures)
export class SupersedeFailuresHandler implements ICommandHandler<SupersedeFailures> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
    private readonly failures: KeyFailures,
  ) {}

  async execute({ queue, key, bySuccessOf, context }: SupersedeFailures): Promise<number> {
    const failed = await this.failures.of(queue, key);
    const command = { type: 'SupersedeTask', bySuccessOf, now: this.clock.iso(), by: context.actor } as const;
    const work = failed.map((taskId) => ({ stream: taskStream(taskId), command, load: 'whole' as const }));
    const outcomes = await this.runner.runMany(taskDecider, work, context);
    return outcomes.filter(({ kind }) => kind === 'accepted').length;
  }
}
