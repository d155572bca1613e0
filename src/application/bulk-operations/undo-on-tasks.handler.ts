import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { Rejection } from '../kernel/application-error.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { refusalIn } from '../kernel/refusal-in.js';
import { TaskStreamCommand } from '../tasks/task-stream-command.js';
import { UndoCommands } from './undo-commands.js';
import type { Undoing } from './undo-order.js';

/** Why the task is not as before; null if it is by now, `undone` if it was already, `nothing` if the operation changed nothing. */
export type UndoneTask = Rejection | null | 'undone' | 'nothing';

/** In the order of the tasks. */
type Undone = readonly UndoneTask[];

/**
 * Makes many tasks what they were before an operation, those that nothing has changed since. What was done under the
 * context's correlation id, that of the undo, is not done again.
 */
export class UndoOnTasks extends Command<Undone> {
  constructor(
    readonly tasks: readonly string[],
    readonly undoing: Undoing,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** How often a task that changes meanwhile is looked at again: then it says by what. */
const ROUNDS = 3;

@CommandHandler(UndoOnTasks)
export class UndoOnTasksHandler implements ICommandHandler<UndoOnTasks> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly undo: UndoCommands,
  ) {}

  async execute({ tasks, undoing, context }: UndoOnTasks): Promise<Undone> {
    const undone = new Map<string, UndoneTask>();
    let rest = tasks;
    for (let round = 0; round < ROUNDS && rest.length > 0; round++) {
      const refusals = await this.try(rest, undoing, context);
      rest.forEach((task, at) => undone.set(task, refusals[at]!));
      rest = rest.filter((task) => hasChanged(undone.get(task)!));
    }
    return tasks.map((task) => undone.get(task)!);
  }

  private async try(tasks: readonly string[], undoing: Undoing, context: CommandContext): Promise<Undone> {
    const found = await this.undo.on(tasks, undoing, context);
    const work = found.filter((one) => one instanceof TaskStreamCommand);
    const outcomes = (await this.runner.runMany(taskDecider, work, context)).values();
    return found.map((one) => (one instanceof TaskStreamCommand ? refusalIn(outcomes.next().value!, one) : one));
  }
}

const hasChanged = (one: UndoneTask): boolean =>
  one !== null && typeof one !== 'string' && one.code === 'CHANGED_SINCE_PREVIEW';
