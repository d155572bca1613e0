import { fold } from '../../domain/kernel/decider.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskClaimed, TaskEvent } from '../../domain/task/task.events.js';
import type { RunningTask } from '../../domain/task/task.state.js';
import type { RecordedEvent } from '../kernel/event-store.port.js';
import type { ClaimedTask, RecordedClaim, StandingLease } from './claim-source.port.js';

/** Collects the tasks that one request gets. */
export class ClaimedTasks {
  readonly tasks: ClaimedTask[] = [];
  private newest = 0n;

  /** `position`: the position of the claim's event. */
  add(task: ClaimedTask, position: bigint): void {
    this.tasks.push(task);
    if (position > this.newest) this.newest = position;
  }

  get position(): string | null {
    return this.tasks.length > 0 ? String(this.newest) : null;
  }
}

/** The task in the form that its worker gets, once the claim is stored. */
export function claimedTask({ picked, item, state, deadline }: RecordedClaim): ClaimedTask {
  const { leaseMs } = (item.events[0]!.event as TaskClaimed).data;
  const { taskId, token } = picked;
  const claimEvent = item.events[0]!.id;
  return claimedUnder(state, { taskId, token, secret: item.leaseSecret!, leaseMs, deadline, claimEvent }, picked);
}

/** The task in the form that its worker gets, under an existing lease. */
export function claimedUnder(
  { task, lease }: RunningTask,
  given: Omit<StandingLease, 'history'> & Pick<ClaimedTask, 'claimEvent'>,
  { enqueuedAt, traceparent }: Submitted,
): ClaimedTask {
  const { queue, kind, key, reference, labels, description, steps, items, plans } = task.submission;
  const claimed: ClaimedTask = {
    taskId: given.taskId,
    queue,
    kind,
    key: key ?? null,
    reference: reference ?? null,
    priority: task.priority,
    labels: labels ?? {},
    description: description ?? null,
    payload: task.payload,
    attempt: task.attempt,
    token: `${given.token}.${given.secret}`,
    claimId: lease.claimId,
    claimEvent: given.claimEvent,
    leaseMs: given.leaseMs,
    deadline: earlier(given.deadline, lease.runUntil),
    enqueuedAt,
    step: task.nextStep,
    lastSuccessfulStep: task.lastSuccessfulStep,
    data: task.data,
  };
  const stepped = steps === undefined ? claimed : { ...claimed, steps };
  const planner = plans === undefined ? stepped : { ...stepped, plans };
  const traced = traceparent === undefined ? planner : { ...planner, traceparent };
  return items === undefined ? traced : { ...traced, items: NOT_GRANTED };
}

/** When the task was submitted, and where the trace of whoever did so stood. */
type Submitted = Pick<ClaimedTask, 'enqueuedAt' | 'traceparent'>;

const submittedBy = ({ recordedAt: enqueuedAt, envelope: { traceparent } }: RecordedEvent): Submitted => ({
  enqueuedAt,
  traceparent,
});

/**
 * The task as its start gave it to its worker, from what the start recorded: the same whatever became of the task since. The
 * end of the lease is the first one.
 */
export function startedTask(
  taskId: string,
  history: readonly RecordedEvent[],
  secret: string,
): { readonly task: ClaimedTask; readonly claim: RecordedEvent } {
  const begun = history.slice(0, history.findIndex(({ event }) => event.type === 'TaskClaimed') + 1);
  const claim = begun.at(-1)!;
  const state = fold(
    taskDecider,
    begun.map(({ event }) => event as TaskEvent),
  );
  const { token, leaseMs, claimedAt } = (claim.event as TaskClaimed).data;
  const deadline = new Date(Date.parse(claimedAt) + leaseMs).toISOString();
  const given = { taskId, token, secret, leaseMs, deadline, claimEvent: claim.id };
  return { task: claimedUnder(state as RunningTask, given, submittedBy(begun[0]!)), claim };
}

/** No lease reaches beyond the longest end of its run. */
const earlier = (deadline: string, end: string | undefined): string =>
  end !== undefined && Date.parse(end) < Date.parse(deadline) ? end : deadline;

/** Until `JobItems` has granted what is still leased. */
const NOT_GRANTED: readonly ClaimedTask[] = [];

/** The tasks of an earlier claim that their worker still has. */
export function standing({ history, token, ...lease }: StandingLease): StandingTask | null {
  const state = fold(
    taskDecider,
    history.map(({ event }) => event as TaskEvent),
  );
  if (state.status !== 'running' || state.lease.token !== token) return null;
  const claim = history.findLast(({ event }) => event.type === 'TaskClaimed')!;
  const task = claimedUnder(state, { ...lease, token, claimEvent: claim.id }, submittedBy(history[0]!));
  return { task, state, claim };
}

export interface StandingTask {
  readonly task: ClaimedTask;
  readonly state: RunningTask;
  /** The event that recorded the claim. */
  readonly claim: RecordedEvent;
}
