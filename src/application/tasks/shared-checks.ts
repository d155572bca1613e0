import type { TaskCommand } from '../../domain/task/task.commands.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import type { TaskRejection } from '../../domain/task/task.rejections.js';
import type { TaskState } from '../../domain/task/task.state.js';
import type { CommandContext } from '../kernel/command-context.js';
import type { DeciderRunner } from '../kernel/decider-runner.js';
import type { Outcome, StreamCommand } from '../kernel/stream-command.js';

type Check = Outcome<TaskState, TaskEvent, TaskRejection>;
type CheckCommand = StreamCommand<TaskState, TaskCommand>;

/**
 * Checks tasks that wait for a key, and stand for those that want it too. A thousand submissions under one key find the
 * same task: they share a check that is under way, because it began after the task was there. Otherwise each of them would
 * read the task's history in turn.
 */
export class SharedChecks {
  private readonly underWay = new Map<string, Promise<Check>>();

  constructor(private readonly runner: DeciderRunner) {}

  /** The commands record nothing. Those of a transaction check for themselves, because it sees its own tasks. */
  async at(commands: readonly CheckCommand[], context: CommandContext): Promise<readonly Check[]> {
    if (context.unit) return this.runner.runMany(taskDecider, commands, context);
    this.begin([...new Map(commands.map((one) => [one.stream, one])).values()], context);
    return Promise.all(commands.map(({ stream }) => this.underWay.get(stream)!));
  }

  private begin(commands: readonly CheckCommand[], context: CommandContext): void {
    const first = commands.filter(({ stream }) => !this.underWay.has(stream));
    if (first.length === 0) return;
    const checks = this.runner.runMany(taskDecider, first, context).finally(() => {
      for (const { stream } of first) this.underWay.delete(stream);
    });
    first.forEach(({ stream }, at) =>
      this.underWay.set(
        stream,
        checks.then((all) => all[at]!),
      ),
    );
  }
}
