import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RunAgainOrder } from '../../domain/task/run-again.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { Rejection } from '../kernel/application-error.js';
import type { CommandContext } from '../kernel/command-context.js';
import { derivedId } from '../kernel/derived-id.js';
import { EventStore } from '../kernel/event-store.port.js';
import type { ManyTasks } from './operate-tasks.handler.js';
import { type Repetition, RunTasksAgain } from './run-tasks-again.handler.js';

type Codes = readonly (Rejection['code'] | null)[];

/**
 * Runs many tasks again, each once for an origin: the id of the new task follows from both. Returns the code of each refusal, in the
 * order of the tasks, or null.
 */
export class RunManyAgain extends Command<Codes> {
  constructor(
    readonly many: Pick<ManyTasks, 'tasks' | 'origin' | 'isRepeated'>,
    readonly order: RunAgainOrder,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RunManyAgain)
export class RunManyAgainHandler implements ICommandHandler<RunManyAgain> {
  constructor(
    private readonly bus: CommandBus,
    private readonly store: EventStore,
  ) {}

  async execute({ many: { tasks, origin, isRepeated }, order, context }: RunManyAgain): Promise<Codes> {
    const repetitions = tasks.map((task) => ({ task, as: derivedId(origin, task) }));
    const outcomes = await this.bus.execute(new RunTasksAgain(repetitions, order, context));
    const codes = outcomes.map((outcome) => (outcome.kind === 'done' ? null : outcome.rejection.code));
    return isRepeated ? this.exceptMade(codes, repetitions) : codes;
  }

  /** Without the refusals of tasks that it has run again before, which may be open by now. */
  private async exceptMade(codes: Codes, repetitions: readonly Repetition[]): Promise<Codes> {
    const refused = repetitions.filter((_, at) => codes[at] !== null).map(({ as }) => as);
    const made = new Set<string>();
    for (const as of refused) if ((await this.store.readFirst([taskStream(as)]))[0]!.length > 0) made.add(as);
    return codes.map((code, at) => (made.has(repetitions[at]!.as) ? null : code));
  }
}
