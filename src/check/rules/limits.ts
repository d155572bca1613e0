import type { RecordedEvent } from '../../application/kernel/recorded-event.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import { consumerDecider } from '../../domain/queue-consumer/consumer.decider.js';
import type { ConsumerEvent } from '../../domain/queue-consumer/consumer.events.js';
import type { ConsumerState } from '../../domain/queue-consumer/consumer.state.js';
import { CONSUMER_CATEGORY, consumerStream } from '../../domain/queue-consumer/consumer.stream.js';
import { queueDecider } from '../../domain/queue/queue.decider.js';
import type { QueueEvent } from '../../domain/queue/queue.events.js';
import { DEFAULT_POLICY, type QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { QueueState } from '../../domain/queue/queue.state.js';
import { QUEUE_CATEGORY, queueStream } from '../../domain/queue/queue.stream.js';
import type { RunningTask } from '../../domain/task/task.state.js';
import type { TaskRecord } from '../appends.js';
import type { Rule, Seen, SeenTask, Tell } from '../rule.js';
import { violation } from '../violation.js';
import { openIn, type Place, placesOf } from './places.js';

/** I5 and I6: the rules between tasks, checked after every append in the order of the log. */
export class Limits implements Rule {
  private readonly queues = new Map<string, QueueState>();
  private readonly consumers = new Map<string, ConsumerState>();
  /** The tasks in each place, by their streams, with the events that brought them there. */
  private readonly taken = new Map<string, Map<string, RecordedEvent>>();

  take(append: readonly Seen[], tell: Tell): void {
    const [{ recorded, id }] = append as [Seen];
    if (id !== null) this.judgeTask(append as readonly SeenTask[], tell);
    else if (recorded.stream.startsWith(`${QUEUE_CATEGORY}-`)) this.judgeQueue(append, tell);
    else if (recorded.stream.startsWith(`${CONSUMER_CATEGORY}-`)) {
      const before = this.consumers.get(recorded.stream) ?? consumerDecider.initialState;
      const evolve = (state: ConsumerState, event: DomainEvent) =>
        consumerDecider.evolve(state, event as ConsumerEvent);
      this.consumers.set(recorded.stream, foldOn(append, before, evolve));
    }
  }

  private judgeTask(append: readonly SeenTask[], tell: Tell): void {
    const [{ before }, { after, recorded: last }] = [append[0]!, append.at(-1)!];
    if (after.status === 'unknown') return;
    const queue = this.queues.get(queueStream(after.task.submission.queue)) ?? queueDecider.initialState;
    this.move(last, placesOf(before, policyOf(queue)), placesOf(after, policyOf(queue)), tell);
    if (before.status === 'unknown') takenIn(last, queue, tell);
    if (after.status === 'running' && before.status !== 'running') this.givenOut(last, after, queue, tell);
  }

  /** Leaves places before it takes others, because a claim that follows its task's last one takes the same slot. */
  private move(recorded: TaskRecord, from: readonly Place[], to: readonly Place[], tell: Tell): void {
    const { stream } = recorded;
    for (const { id } of from) if (!to.some((place) => place.id === id)) this.leave(id, stream);
    for (const { id, says, capacity, keeps } of to) {
      if (from.some((place) => place.id === id)) continue;
      const there = this.taken.get(id) ?? new Map<string, RecordedEvent>();
      this.taken.set(id, there.set(stream, recorded));
      if (there.size > capacity)
        tell(violation(keeps, `Expected at most ${capacity} to ${says}, but ${there.size} do`, ...there.values()));
    }
  }

  private leave(id: string, stream: string): void {
    const there = this.taken.get(id);
    there?.delete(stream);
    if (there?.size === 0) this.taken.delete(id);
  }

  private givenOut(claim: TaskRecord, { task, lease }: RunningTask, state: QueueState, tell: Tell): void {
    const { queue } = task.submission;
    if (state.status !== 'active')
      tell(violation('I6', `Expected '${queue}' to give out nothing while it is ${state.status}, but it did`, claim));
    if (policyOf(state).concurrency !== 'serial') return;
    const consumer = this.consumers.get(consumerStream(queue));
    const isConsumer =
      consumer?.status === 'held' && consumer.worker === lease.worker && consumer.server === lease.server;
    if (!isConsumer)
      tell(violation('I6', `Expected '${queue}' to be its consumer's alone, but '${lease.worker}' got a task`, claim));
  }

  private judgeQueue(append: readonly Seen[], tell: Tell): void {
    const { stream } = append[0]!.recorded;
    const before = this.queues.get(stream) ?? queueDecider.initialState;
    const evolve = (state: QueueState, event: DomainEvent) => queueDecider.evolve(state, event as QueueEvent);
    this.queues.set(stream, foldOn(append, before, evolve));
    const end = append.find(({ recorded }) => ENDS_QUEUE.has(recorded.event.type))?.recorded;
    const { queue } = append[0]!.recorded.event.data as { queue: string };
    const open = [...(this.taken.get(openIn(queue))?.values() ?? [])];
    if (end && open.length > 0)
      tell(violation('I6', `Expected '${queue}' to end without open tasks, but it has ${open.length}`, ...open, end));
  }
}

function takenIn(first: TaskRecord, state: QueueState, tell: Tell): void {
  const takesIn = 'queue' in state && state.status !== 'finished' && state.queue.intake.open;
  if (!takesIn) tell(violation('I6', `Expected '${first.event.data.queue}' to take in nothing, but it did`, first));
}

const ENDS_QUEUE: ReadonlySet<string> = new Set(['QueueFinished', 'QueueDeleted']);

const foldOn = <S>(append: readonly Seen[], before: S, evolve: (state: S, event: DomainEvent) => S): S =>
  append.reduce((state, { recorded }) => evolve(state, recorded.event), before);

const policyOf = (state: QueueState): QueuePolicy => ('queue' in state ? state.queue.policy : DEFAULT_POLICY);
