import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { fold } from '../../domain/kernel/decider.js';
import { stepsFor } from '../../domain/queue/queue.policy.js';
import { type QueueOfRun, type RunAgainOrder, secondRun } from '../../domain/task/run-again.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import type { TaskState } from '../../domain/task/task.state.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { unreadable } from '../kernel/application-error.js';
import type { CommandContext } from '../kernel/command-context.js';
import { EventStore, type RecordedEvent } from '../kernel/event-store.port.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { readable, readEach, UnreadableStream } from '../kernel/unreadable-stream.js';
import type { EnqueueItem, EnqueueOutcome } from './enqueue-item.js';
import { EnqueueTasks } from './enqueue-tasks.handler.js';

/** A task, and the id of the one that runs it again. */
export interface Repetition {
  readonly task: string;
  readonly as: string;
}

/**
 * Runs ended tasks again, each as a new task. Returns one answer each, in order; no refusal affects another one. The first runs are
 * only read, so their records stay. The same repetition of the same task finds the task that it made.
 */
export class RunTasksAgain extends Command<readonly EnqueueOutcome[]> {
  constructor(
    readonly repetitions: readonly Repetition[],
    readonly order: RunAgainOrder,
    readonly context: CommandContext,
  ) {
    super();
  }
}

type Read = TaskState | UnreadableStream;
type Answer = EnqueueItem | Extract<EnqueueOutcome, { readonly kind: 'refused' }>;

@CommandHandler(RunTasksAgain)
export class RunTasksAgainHandler implements ICommandHandler<RunTasksAgain> {
  constructor(
    private readonly bus: CommandBus,
    private readonly store: EventStore,
    private readonly queues: QueueDirectory,
  ) {}

  async execute({ repetitions, order, context }: RunTasksAgain): Promise<readonly EnqueueOutcome[]> {
    const states = await this.statesOf(repetitions);
    const queues = await this.queuesOf(states, order);
    const answers = repetitions.map((one, at) => answerTo(one, states[at]!, order, queues));
    const items = answers.filter((answer) => 'queue' in answer);
    const outcomes = items.length === 0 ? [] : await this.bus.execute(new EnqueueTasks(items, context));
    const made = new Map(items.map((item, at) => [item, outcomes[at]!]));
    return answers.map((answer) => ('queue' in answer ? made.get(answer)! : answer));
  }

  private statesOf(repetitions: readonly Repetition[]): Promise<readonly Read[]> {
    return readEach(
      repetitions.map(({ task }) => taskStream(task)),
      (streams) => this.store.readFirst(streams),
      (history, stream) => readable(stream, history.at(-1)?.position ?? null, () => stateAfter(history)),
    );
  }

  private async queuesOf(states: readonly Read[], { queue }: RunAgainOrder): Promise<(name: string) => QueueOfRun> {
    const names = states.flatMap((state) => ('task' in state ? [queue ?? state.task.submission.queue] : []));
    const { found } = await this.queues.getEach(new Set(names));
    return (name) => {
      const state = found.get(name)?.state;
      const policy = state && 'queue' in state ? state.queue.policy : null;
      return { name, policy, steps: policy ? stepsFor(policy) : [] };
    };
  }
}

const stateAfter = (history: readonly RecordedEvent[]): TaskState =>
  fold(
    taskDecider,
    history.map(({ event }) => event as TaskEvent),
  );

/** Whether the queue takes the second run is decided when it is added. */
function answerTo(
  { task, as }: Repetition,
  state: Read,
  order: RunAgainOrder,
  queueOf: (name: string) => QueueOfRun,
): Answer {
  if (state instanceof UnreadableStream) return { kind: 'refused', rejection: unreadable(state) };
  const name = order.queue ?? ('task' in state ? state.task.submission.queue : '');
  const run = secondRun(task, state, order, queueOf(name));
  return 'code' in run ? { kind: 'refused', rejection: run } : { ...run, taskId: as };
}
