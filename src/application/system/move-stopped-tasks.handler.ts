import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TaskCommand } from '../../domain/task/task.commands.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import type { TaskRejection } from '../../domain/task/task.rejections.js';
import type { TaskState } from '../../domain/task/task.state.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import type { Outcome } from '../kernel/stream-command.js';

type TaskOutcome = Outcome<TaskState, TaskEvent, TaskRejection>;

/**
 * Asks the workers of running tasks to stop, whatever the policies of their queues make of a cancellation: the tasks
 * are cancelled and nothing failed.
 */
export class StopTasks extends Command<void> {
  constructor(
    readonly tasks: readonly string[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Retries tasks that were stopped. Returns why each was not retried; null if it was, or need not be any more. */
export class ResumeTasks extends Command<readonly (string | null)[]> {
  constructor(
    readonly tasks: readonly string[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(StopTasks)
export class StopTasksHandler implements ICommandHandler<StopTasks> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
  ) {}

  async execute({ tasks, context }: StopTasks): Promise<void> {
    const reason = context.reason ?? null;
    const given = { now: this.clock.iso(), by: context.actor };
    await runAll(this.runner, tasks, { ...given, type: 'CancelTask', onRunning: 'cancel', reason }, context);
  }
}

@CommandHandler(ResumeTasks)
export class ResumeTasksHandler implements ICommandHandler<ResumeTasks> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
  ) {}

  async execute({ tasks, context }: ResumeTasks): Promise<readonly (string | null)[]> {
    const given = { now: this.clock.iso(), by: context.actor };
    const retry = { ...given, type: 'RetryTask', step: null, override: false, heldBy: null } as const;
    return (await runAll(this.runner, tasks, retry, context)).map(refusalIn);
  }
}

function runAll(
  runner: DeciderRunner,
  tasks: readonly string[],
  command: TaskCommand,
  context: CommandContext,
): Promise<readonly TaskOutcome[]> {
  const work = tasks.map((id) => ({ stream: taskStream(id), command, load: 'fresh' as const }));
  return runner.runMany(taskDecider, work, context);
}

/** A task that somebody has retried, aborted or deleted meanwhile is theirs. */
function refusalIn(outcome: TaskOutcome): string | null {
  if (outcome.kind === 'refused') return outcome.constraint;
  if (outcome.kind === 'contended') return 'CONTENTION';
  return outcome.kind === 'rejected' && outcome.rejection.code !== 'ILLEGAL_TRANSITION' ? outcome.rejection.code : null;
}
