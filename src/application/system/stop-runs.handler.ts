import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { taskDecider } from '../../domain/task/task.decider.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';

/** Tells the workers of these tasks to stop, because the system is drained. Returns how many were told. */
export class StopRuns extends Command<number> {
  constructor(
    readonly tasks: readonly string[],
    readonly reason: string | null,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(StopRuns)
export class StopRunsHandler implements ICommandHandler<StopRuns> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
  ) {}

  async execute({ tasks, reason, context }: StopRuns): Promise<number> {
    const command = { type: 'StopRun', now: this.clock.iso(), by: context.actor, reason } as const;
    const work = tasks.map((taskId) => ({ stream: taskStream(taskId), command, load: 'whole' as const }));
    const outcomes = await this.runner.runMany(taskDecider, work, context);
    return outcomes.filter(({ kind }) => kind === 'accepted').length;
  }
}
