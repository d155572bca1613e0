import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { taskDecider } from '../../domain/task/task.decider.js';
import { refusalIn } from '../bulk-operations/undo-on-tasks.handler.js';
import type { Rejection } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { TaskStreamCommand } from '../tasks/task-stream-command.js';

/** Why each task cannot be erased, in their order; null if it has the event by now. */
type Refusals = readonly (Rejection | null)[];

/** Records of tasks, in one append, that what they were about is erased. The halves are erased after that. */
export class EraseTasks extends Command<Refusals> {
  constructor(
    readonly tasks: readonly string[],
    readonly erasure: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(EraseTasks)
export class EraseTasksHandler implements ICommandHandler<EraseTasks> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
  ) {}

  async execute({ tasks, erasure, context }: EraseTasks): Promise<Refusals> {
    const command = { type: 'EraseTask', now: this.clock.iso(), by: context.actor, erasure } as const;
    const work = tasks.map((taskId) => new TaskStreamCommand({ taskId, load: 'whole', command: () => command }));
    const outcomes = await this.runner.runMany(taskDecider, work, context);
    return outcomes.map((outcome, at) => refusalIn(outcome, work[at]!));
  }
}
