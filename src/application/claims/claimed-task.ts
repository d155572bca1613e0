import type { TaskClaimed } from '../../domain/task/task.events.js';
import type { RunningTask } from '../../domain/task/task.state.js';
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
  const { taskId, token, enqueuedAt } = picked;
  const claimEvent = item.events[0]!.id;
  return claimedUnder(state, { taskId, token, secret: item.leaseSecret!, leaseMs, deadline, claimEvent }, enqueuedAt);
}

/** The task in the form that its worker gets, under an existing lease. */
export function claimedUnder(
  { task, lease }: RunningTask,
  given: Omit<StandingLease, 'history'> & Pick<ClaimedTask, 'claimEvent'>,
  enqueuedAt: string,
): ClaimedTask {
  const { queue, kind, key, reference, labels, description } = task.submission;
  return {
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
    deadline: given.deadline,
    enqueuedAt,
    step: task.nextStep,
    lastSuccessfulStep: task.lastSuccessfulStep,
  };
}
