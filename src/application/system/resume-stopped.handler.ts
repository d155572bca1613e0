import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { taskDecider } from '../../domain/task/task.decider.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';

/** Retries tasks that a shutdown stopped. Returns how many wait again. */
export class ResumeStopped extends Command<number> {
  constructor(
    readonly tasks: readonly string[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ResumeStopped)
export class ResumeStoppedHandler implements ICommandHandler<ResumeStopped> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
  ) {}

  async execute({ tasks, context }: ResumeStopped): Promise<number> {
    const given = { now: this.clock.iso(), by: context.actor };
    const command = { ...given, type: 'RetryTask', step: null, override: false, heldBy: null } as const;
    const work = tasks.map((taskId) => ({ stream: taskStream(taskId), command, load: 'whole' as const }));
    const outcomes = await this.runner.runMany(taskDecider, work, context);
    return outcomes.filter(({ kind }) => kind === 'accepted').length;
  }
}
