import type { RecordedEvent } from '../../application/kernel/recorded-event.js';
import { queueDecider } from '../../domain/queue/queue.decider.js';
import type { QueueEvent } from '../../domain/queue/queue.events.js';
import {
  DEFAULT_POLICY,
  type FairShares,
  type LabelLimits,
  type QueuePolicy,
  valueOf,
} from '../../domain/queue/queue.policy.js';
import { QUEUE_CATEGORY } from '../../domain/queue/queue.stream.js';
import type { TaskClaimed } from '../../domain/task/task.events.js';
import type { KnownTask } from '../../domain/task/task.state.js';
import { meets, neededBy } from '../../domain/kernel/worker-labels.js';
import { isFence, type TaskRecord } from '../appends.js';
import type { LogTraits, Rule, Seen, SeenTask, Tell } from '../rule.js';
import { violation } from '../violation.js';
import { Line } from './line.js';

/**
 * I15: of a queue's ready tasks, claims take those of the highest priority first, and of these the first in line. Claims take
 * turns, so each sees at least what was ready before the one before it was recorded. If the events are in another store,
 * claims are recorded in any order, and only a task that blocks its key is judged.
 */
export class Order implements Rule {
  private readonly queues = new Map<string, Lane>();
  private readonly policies = new Policies();

  constructor(private readonly traits: OrderTraits) {}

  take(append: readonly Seen[], tell: Tell): void {
    for (const seen of append) {
      this.policies.take(seen.recorded);
      if (seen.id === null) continue;
      const { queue } = seen.recorded.event.data;
      const lane = this.queues.get(queue) ?? new Lane();
      this.queues.set(queue, lane);
      lane.take(seen, this.policies.of(queue), this.traits, tell);
    }
  }

  forget(_: string, stream: string): void {
    for (const lane of this.queues.values()) lane.forget(stream);
  }
}

type OrderTraits = Pick<LogTraits, 'claimsTakeTurns' | 'isForeign'>;

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

/**
 * Whether the first task may wait while the other is claimed: a label tells them apart, so that its value may be full, or its turn later, or the worker is not known to
 * offer what the first needs.
 */
function isInAnotherLane(
  one: Placed,
  other: Placed,
  claim: TaskRecord,
  { perLabel, fair, needs }: QueuePolicy,
): boolean {
  const { offers } = claim.event.data as TaskClaimed['data'];
  if (!meets(offers, neededBy(one.state.task.submission.needs, needs))) return true;
  return [perLabel, fair].some((by) => by !== null && valueIn(one, by) !== valueIn(other, by));
}

const valueIn = ({ state }: Placed, by: LabelLimits | FairShares): string | null =>
  valueOf(by, state.task.submission.labels);

/** The tasks of a queue, and the claims that were recorded together last. */
class Lane {
  private readonly tasks = new Map<string, Placed>();
  private readonly ready = new Line<Placed>();
  private readonly keys = new Map<string, Set<string>>();
  /** The first and last position of the claims that are being recorded, and what was ready for certain before them. */
  private claims = { first: 0n, last: -2n, known: 0n };

  take({ recorded, after: state }: SeenTask, policy: QueuePolicy, traits: OrderTraits, tell: Tell): void {
    const before = this.tasks.get(recorded.stream);
    if ((!before && isFence(recorded)) || state.status === 'unknown') return;
    if (before && recorded.event.type === 'TaskClaimed' && !beganWithClaim(recorded, before))
      this.claim(recorded, before, policy, traits, tell);
    this.place(recorded, state, before);
  }

  private claim(claim: TaskRecord, placed: Placed, policy: QueuePolicy, traits: OrderTraits, tell: Tell): void {
    const { position } = claim;
    if (position !== this.claims.last + 1n) this.claims = { first: position, last: position, known: this.claims.first };
    else this.claims = { ...this.claims, last: position };
    if (policy.onKeyFailure === 'block') this.pastBlocker(claim, placed, tell);
    // The consumer of a serial queue gets the task that was taken from it, and a key that may be blocked is judged above.
    if (!traits.claimsTakeTurns || policy.concurrency === 'serial') return;
    for (const other of this.ready.before(placed)) {
      if (other === placed || other.readySince === null || other.readySince >= this.claims.known) continue;
      if (isInAnotherLane(other, placed, claim, policy)) continue;
      if (isOver(other, claim) || (traits.isForeign && isElsewhere(other, placed))) continue;
      if (policy.onKeyFailure === 'block' && keyOf(other) !== undefined) continue;
      const says = `Expected '${other.last.stream}' to be claimed before '${claim.stream}'`;
      tell(violation('I15', says, other.last, claim));
    }
  }

  private pastBlocker(claim: TaskRecord, placed: Placed, tell: Tell): void {
    const key = keyOf(placed);
    for (const stream of (key !== undefined && this.keys.get(key)) || []) {
      const other = this.tasks.get(stream)!;
      if (other.seq >= placed.seq || !blocks(other)) continue;
      tell(violation('I15', `Expected '${claim.stream}' to wait for '${stream}' of its key`, other.last, claim));
    }
  }

  forget(stream: string): void {
    const placed = this.tasks.get(stream);
    if (!placed) return;
    this.tasks.delete(stream);
    this.ready.leave(placed);
    const key = keyOf(placed);
    if (key !== undefined) this.leaveLine(key, stream);
  }

  private leaveLine(key: string, stream: string): void {
    const line = this.keys.get(key);
    line?.delete(stream);
    if (line?.size === 0) this.keys.delete(key);
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
    if (before) this.ready.leave(before);
    if (isReady(state)) this.ready.add(placed);
    const key = keyOf(placed);
    if (key !== undefined) this.lineUp(key, stream, position);
  }

  /** Of each key, only the first task that waits may be claimed, and only while none runs. */
  private lineUp(key: string, stream: string, position: bigint): void {
    const line = this.keys.get(key) ?? new Set<string>();
    this.keys.set(key, line.add(stream));
    if (this.tasks.get(stream)!.state.status in LEAVES_LINE) this.leaveLine(key, stream);
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

/** Nobody gets a task after its time to live. Both times are the database's. */
const isOver = ({ state: { task } }: Placed, { event }: TaskRecord): boolean =>
  task.expiresAt !== null && task.expiresAt <= (event as TaskClaimed).data.claimedAt;

/** A worker may ask for some steps only, and a step may be short of a resource. */
const isElsewhere = ({ state: { task } }: Placed, { state: claimed }: Placed): boolean =>
  task.nextStep !== claimed.task.nextStep;

const comesBefore = (one: Placed, other: Placed): boolean => {
  const [priority, than] = [one.state.task.priority, other.state.task.priority];
  return priority > than || (priority === than && one.place < other.place);
};
