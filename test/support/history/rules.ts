import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { consumerDecider } from '../../../src/domain/queue-consumer/consumer.decider.js';
import type { ConsumerEvent } from '../../../src/domain/queue-consumer/consumer.events.js';
import type { ConsumerState } from '../../../src/domain/queue-consumer/consumer.state.js';
import { CONSUMER_CATEGORY, consumerStream } from '../../../src/domain/queue-consumer/consumer.stream.js';
import { queueDecider } from '../../../src/domain/queue/queue.decider.js';
import type { QueueEvent } from '../../../src/domain/queue/queue.events.js';
import { DEFAULT_POLICY, type QueuePolicy } from '../../../src/domain/queue/queue.policy.js';
import type { QueueState } from '../../../src/domain/queue/queue.state.js';
import { QUEUE_CATEGORY, queueStream } from '../../../src/domain/queue/queue.stream.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import type { RunningTask, TaskState } from '../../../src/domain/task/task.state.js';
import { appendsIn, isOfTask, type Log, type TaskRecord, type Violation, violation } from './history.js';
import { openIn, type Place, placesOf } from './places.js';

/** I5 and I6: the rules between tasks, checked after every append in the order of the log. */
export function* ruleViolations(log: Log): Generator<Violation> {
  const rules = new Rules();
  for (const append of appendsIn(log.events)) yield* rules.judge(append);
}

class Rules {
  private readonly tasks = new Map<string, TaskState>();
  private readonly queues = new Map<string, QueueState>();
  private readonly consumers = new Map<string, ConsumerState>();
  /** The tasks in each place, by their streams, with the events that brought them there. */
  private readonly taken = new Map<string, Map<string, RecordedEvent>>();

  *judge(append: readonly RecordedEvent[]): Generator<Violation> {
    const [first] = append as [RecordedEvent];
    if (isOfTask(first)) yield* this.judgeTask(append as readonly TaskRecord[]);
    else if (first.stream.startsWith(`${QUEUE_CATEGORY}-`)) yield* this.judgeQueue(append);
    else if (first.stream.startsWith(`${CONSUMER_CATEGORY}-`)) {
      const before = this.consumers.get(first.stream) ?? consumerDecider.initialState;
      this.consumers.set(
        first.stream,
        foldOn(append, before, (state, event) => consumerDecider.evolve(state, event as ConsumerEvent)),
      );
    }
  }

  private *judgeTask(append: readonly TaskRecord[]): Generator<Violation> {
    const [{ stream }, last] = [append[0]!, append.at(-1)!];
    const before = this.tasks.get(stream) ?? taskDecider.initialState;
    const after = append.reduce((state, { event }) => evolveTask(state, event), before);
    this.tasks.set(stream, after);
    if (after.status === 'unknown') return;
    const queue = this.queues.get(queueStream(after.task.submission.queue)) ?? queueDecider.initialState;
    yield* this.move(last, placesOf(before, policyOf(queue)), placesOf(after, policyOf(queue)));
    if (before.status === 'unknown') yield* takenIn(last, queue);
    if (after.status === 'running' && before.status !== 'running') yield* this.givenOut(last, after, queue);
  }

  /** Leaves places before it takes others, because a claim that follows its task's last one takes the same slot. */
  private *move(recorded: TaskRecord, from: readonly Place[], to: readonly Place[]): Generator<Violation> {
    const { stream } = recorded;
    for (const { id } of from) if (!to.some((place) => place.id === id)) this.taken.get(id)!.delete(stream);
    for (const { id, says, capacity, keeps } of to) {
      if (from.some((place) => place.id === id)) continue;
      const there = this.taken.get(id) ?? new Map<string, RecordedEvent>();
      const others = [...there.values()];
      this.taken.set(id, there.set(stream, recorded));
      if (others.length >= capacity)
        yield violation(
          keeps,
          `Expected at most ${capacity} to ${says}, but ${others.length + 1} do`,
          ...others,
          recorded,
        );
    }
  }

  private *givenOut(claim: TaskRecord, { task, lease }: RunningTask, state: QueueState): Generator<Violation> {
    const { queue } = task.submission;
    if (state.status !== 'active')
      yield violation('I6', `Expected '${queue}' to give out nothing while it is ${state.status}, but it did`, claim);
    if (policyOf(state).concurrency !== 'serial') return;
    const consumer = this.consumers.get(consumerStream(queue));
    const isConsumer =
      consumer?.status === 'held' && consumer.worker === lease.worker && consumer.server === lease.server;
    if (!isConsumer)
      yield violation('I6', `Expected '${queue}' to be its consumer's alone, but '${lease.worker}' got a task`, claim);
  }

  private *judgeQueue(append: readonly RecordedEvent[]): Generator<Violation> {
    const { stream } = append[0]!;
    const before = this.queues.get(stream) ?? queueDecider.initialState;
    this.queues.set(
      stream,
      foldOn(append, before, (state, event) => queueDecider.evolve(state, event as QueueEvent)),
    );
    const end = append.find(({ event }) => event.type === 'QueueFinished' || event.type === 'QueueDeleted');
    const { queue } = append[0]!.event.data as { queue: string };
    const open = [...(this.taken.get(openIn(queue))?.values() ?? [])];
    if (end && open.length > 0)
      yield violation('I6', `Expected '${queue}' to end without open tasks, but it has ${open.length}`, ...open, end);
  }
}

function* takenIn(first: TaskRecord, state: QueueState): Generator<Violation> {
  const takesIn = 'queue' in state && state.status !== 'finished' && state.queue.intake.open;
  if (!takesIn) yield violation('I6', `Expected '${first.event.data.queue}' to take in nothing, but it did`, first);
}

const foldOn = <S>(
  append: readonly RecordedEvent[],
  before: S,
  evolve: (state: S, event: RecordedEvent['event']) => S,
): S => append.reduce((state, { event }) => evolve(state, event), before);

/** A history without its beginning is ignored here, because I7 reports it. */
export const evolveTask = (state: TaskState, event: TaskRecord['event']): TaskState =>
  state.status === 'unknown' && !('kind' in event.data) ? state : taskDecider.evolve(state, event);

const policyOf = (state: QueueState): QueuePolicy => ('queue' in state ? state.queue.policy : DEFAULT_POLICY);
