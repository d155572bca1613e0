import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { IsoTime } from '../../domain/kernel/json.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { TaskStreamCommand } from './task-stream-command.js';

/** A time of a task that has passed by the database's clock, and what follows. */
export type PassedLimit = { readonly taskId: string } & (
  | { readonly what: 'expire' | 'missDeadline' }
  /** `token`: the number of the running claim. */
  | { readonly what: 'timeOut'; readonly token: string }
);

/** Does what follows for tasks whose time has passed. Returns for how many; skips those that have changed meanwhile. */
export class KeepTimeLimits extends Command<number> {
  constructor(
    readonly passed: readonly PassedLimit[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(KeepTimeLimits)
export class KeepTimeLimitsHandler implements ICommandHandler<KeepTimeLimits> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
    private readonly queues: QueueDirectory,
  ) {}

  async execute({ passed, context }: KeepTimeLimits): Promise<number> {
    const given = { now: this.clock.iso(), by: context.actor };
    const work = passed.map((limit) => this.commandFor(limit, given));
    const outcomes = await this.runner.runMany(taskDecider, work, context);
    return outcomes.filter(({ kind }) => kind === 'accepted' || kind === 'alreadyDone').length;
  }

  private commandFor(limit: PassedLimit, given: { readonly now: IsoTime; readonly by: string }): TaskStreamCommand {
    const { taskId, what } = limit;
    if (limit.what === 'timeOut') return this.timeOut(limit, given);
    return new TaskStreamCommand({
      taskId,
      load: 'cached',
      command: () => ({ ...given, type: what === 'expire' ? 'ExpireTask' : 'MissDeadline' }),
      queues: this.queues,
    });
  }

  private timeOut(
    { taskId, token }: Extract<PassedLimit, { readonly what: 'timeOut' }>,
    given: { readonly now: IsoTime; readonly by: string },
  ): TaskStreamCommand {
    const random = Math.random();
    return new TaskStreamCommand({
      taskId,
      load: 'cached',
      command: (conflictingTaskId, policy) => ({
        ...given,
        type: 'TimeOutRun',
        token,
        policy,
        random,
        conflictingTaskId,
      }),
      conditions: { lease: { token, timedOut: true } },
      failOnKeyConflict: true,
      queues: this.queues,
    });
  }
}
