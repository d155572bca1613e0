import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { queueDecider } from '../../../src/domain/queue/queue.decider.js';
import type { QueueEvent } from '../../../src/domain/queue/queue.events.js';
import { DEFAULT_POLICY, type QueuePolicy } from '../../../src/domain/queue/queue.policy.js';
import { QUEUE_CATEGORY } from '../../../src/domain/queue/queue.stream.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import type { KnownTask, TaskState } from '../../../src/domain/task/task.state.js';
import { type History, isFence, isOfTask, type Log, type TaskRecord, type Violation, violation } from './history.js';
import { evolveTask } from './rules.js';

/**
 * I15: of a queue's ready tasks, claims take those of the highest priority first, and of these the first in line. Claims take
 * turns, so each sees at least what was ready before the one before it was recorded. If the events are in another store,
 * claims are recorded in any order, and only a task that blocks its key is judged.
 */
export function* orderViolations({ claimsTakeTurns }: History, log: Log): Generator<Violation> {
  const queues = new Map<string, Lane>();
  const policies = new Policies();
  for (const recorded of log.events) {
    policies.take(recorded);
    if (!isOfTask(recorded)) continue;
    const { queue } = recorded.event.data;
    const lane = queues.get(queue) ?? new Lane();
    queues.set(queue, lane);
    yield* lane.take(recorded, policies.of(queue), claimsTakeTurns);
  }
}

class Policies {
  private readonly queues = new Map<string, QueuePolicy>();
  private readonly states = new Map<string, ReturnType<typeof queueDecider.evolve>>();

  take({ stream, event }: RecordedEvent): void {
    if (!stream.startsWith(`${QUEUE_CATEGORY}-`)) return;
    const state = queueDecider.evolve(this.states.get(stream) ?? queueDecider.initialState, event as QueueEvent);
    this.states.set(stream, state);
    if ('queue' in state) this.queues.set(state.queue.name, state.queue.policy);
  }

  of(queue: string): QueuePolicy {
    return this.queues.get(queue) ?? DEFAULT_POLICY;
  }
}

interface Placed {
  readonly seq: bigint;
  /** Its place in line: that of its first event, or of the last one with which it came back after a turn. */
  readonly place: bigint;
  readonly state: KnownTask;
  readonly last: TaskRecord;
  /** The position from which on it was the first that a claim could take; null while another event must come first. */
  readySince: bigint | null;
}

/** The tasks of a queue, and the claims that were recorded together last. */
class Lane {
  private readonly tasks = new Map<string, Placed>();
  private readonly pending = new Set<string>();
  private readonly keys = new Map<string, Set<string>>();
  /** The first and last position of the claims that are being recorded, and what was ready for certain before them. */
  private claims = { first: 0n, last: -2n, known: 0n };

  *take(recorded: TaskRecord, policy: QueuePolicy, claimsTakeTurns: boolean): Generator<Violation> {
    const { stream } = recorded;
    const before = this.tasks.get(stream);
    if (!before && isFence(recorded)) return;
    const state: TaskState = evolveTask(before?.state ?? taskDecider.initialState, recorded.event);
    if (state.status === 'unknown') return;
    if (before && recorded.event.type === 'TaskClaimed' && !beganWithClaim(recorded, before))
      yield* this.claim(recorded, before, policy, claimsTakeTurns);
    this.place(recorded, state, before);
  }

  private *claim(claim: TaskRecord, placed: Placed, policy: QueuePolicy, turns: boolean): Generator<Violation> {
    const { position } = claim;
    if (position !== this.claims.last + 1n) this.claims = { first: position, last: position, known: this.claims.first };
    else this.claims = { ...this.claims, last: position };
    if (policy.onKeyFailure === 'block') yield* this.pastBlocker(claim, placed);
    // The consumer of a serial queue gets the task that was taken from it, and a key that may be blocked is judged above.
    if (!turns || policy.concurrency === 'serial') return;
    for (const stream of this.pending) {
      const other = this.tasks.get(stream)!;
      if (other === placed || other.readySince === null || other.readySince >= this.claims.known) continue;
      if (policy.onKeyFailure === 'block' && keyOf(other) !== undefined) continue;
      if (comesBefore(other, placed))
        yield violation('I15', `Expected '${stream}' to be claimed before '${claim.stream}'`, other.last, claim);
    }
  }

  private *pastBlocker(claim: TaskRecord, placed: Placed): Generator<Violation> {
    const key = keyOf(placed);
    for (const stream of key === undefined ? [] : this.keys.get(key)!) {
      const other = this.tasks.get(stream)!;
      if (other.seq >= placed.seq || !blocks(other)) continue;
      yield violation('I15', `Expected '${claim.stream}' to wait for '${stream}' of its key`, other.last, claim);
    }
  }

  private place(recorded: TaskRecord, state: KnownTask, before: Placed | undefined): void {
    const { stream, position } = recorded;
    const isSame =
      before && isReady(before.state) && isReady(state) && before.state.task.priority === state.task.priority;
    const readySince = isReady(state) ? (isSame ? before.readySince : position) : null;
    const seq = before?.seq ?? position;
    const place = comesBack(recorded) ? position : (before?.place ?? seq);
    const placed: Placed = { seq, place, state, last: recorded, readySince };
    this.tasks.set(stream, placed);
    if (state.status === 'pending') this.pending.add(stream);
    else this.pending.delete(stream);
    const key = keyOf(placed);
    if (key !== undefined) this.lineUp(key, stream, position);
  }

  /** Of each key, only the first task that waits may be claimed, and only while none runs. */
  private lineUp(key: string, stream: string, position: bigint): void {
    const line = this.keys.get(key) ?? new Set<string>();
    this.keys.set(key, line);
    if (this.tasks.get(stream)!.state.status in LEAVES_LINE) line.delete(stream);
    else line.add(stream);
    const tasks = [...line].map((one) => this.tasks.get(one)!);
    const isFree = !tasks.some(({ state }) => state.status === 'running');
    const waiting = tasks.filter(({ state }) => state.status === 'pending');
    const first = isFree && waiting.reduce((best, one) => (comesBefore(best, one) ? best : one), waiting[0]!);
    for (const one of waiting)
      one.readySince = one === first && isReady(one.state) ? (one.readySince ?? position) : null;
  }
}

/** The program that enqueued the task runs it itself, whatever else is ready. */
const beganWithClaim = ({ position, recordedAt }: TaskRecord, { last }: Placed): boolean =>
  last.position === position - 1n && last.recordedAt === recordedAt;

/** Whether the task has had a turn and waits for the next, or a person retries it. */
export const comesBack = ({ event }: TaskRecord): boolean =>
  ['TaskRetryScheduled', 'TaskLeaseExpired', 'TaskRetried'].includes(event.type) ||
  (event.type === 'TaskReturned' && !event.data.unstarted) ||
  (event.type === 'TaskHeld' && event.data.from === 'running') ||
  (event.type === 'TaskOverruled' && event.data.verdict === 'requeue');

/** Whether the tasks of its key that came after it must wait for it. */
const blocks = ({ state: { status, task } }: Placed): boolean =>
  ['failed', 'undecided'].includes(status) || (status === 'held' && task.attempt > 0);

const LEAVES_LINE = { succeeded: 0, cancelled: 0, aborted: 0, superseded: 0, deleted: 0 };

const keyOf = ({ state }: Placed): string | undefined => state.task.submission.key;

/** Leaves out tasks that wait for a time, for other tasks or for a batch: when that is over is not in their events. */
const isReady = ({ status, task }: KnownTask): boolean =>
  status === 'pending' && task.dueAt === null && task.after.length === 0 && task.submission.batch === undefined;

const comesBefore = (one: Placed, other: Placed): boolean => {
  const [priority, than] = [one.state.task.priority, other.state.task.priority];
  return priority > than || (priority === than && one.place < other.place);
};
