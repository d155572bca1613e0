import type { ClaimedTask } from '../../application/claims/task-claimer.port.js';
import type { AppendItem } from '../../application/kernel/event-store.port.js';
import type { TaskClaimed } from '../../domain/task/task.events.js';
import type { RunningTask } from '../../domain/task/task.state.js';
import type { PickedTask } from './picked-tasks.js';

/** The deadlines of one append's leases: most are the same, and making a time of text is what a grant would cost most. */
export class Deadlines {
  private readonly known = new Map<number, string>();

  of(recordedAt: string, { events }: AppendItem): string {
    const { leaseMs } = (events[0]!.event as TaskClaimed).data;
    let deadline = this.known.get(leaseMs);
    if (deadline === undefined) {
      deadline = new Date(Date.parse(recordedAt) + leaseMs).toISOString();
      this.known.set(leaseMs, deadline);
    }
    return deadline;
  }
}

/** What one request is granted. */
export class Grants {
  readonly tasks: ClaimedTask[] = [];
  private newest = 0n;

  /** `position`: where the claim is recorded. */
  add(task: ClaimedTask, position: bigint): void {
    this.tasks.push(task);
    if (position > this.newest) this.newest = position;
  }

  get position(): string | null {
    return this.tasks.length > 0 ? String(this.newest) : null;
  }
}

/** The task as its worker gets it, once the claim is stored. */
export function grantOf(picked: PickedTask, state: RunningTask, item: AppendItem, deadline: string): ClaimedTask {
  const { leaseMs } = (item.events[0]!.event as TaskClaimed).data;
  const { taskId, token, enqueuedAt } = picked;
  return grantFrom(state, { taskId, token, enqueuedAt, secret: item.leaseSecret!, leaseMs, deadline });
}

export interface GrantedLease {
  readonly taskId: string;
  readonly token: string;
  readonly secret: string;
  readonly leaseMs: number;
  readonly deadline: string;
  readonly enqueuedAt: string;
}

export function grantFrom({ task, lease }: RunningTask, given: GrantedLease): ClaimedTask {
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
    leaseMs: given.leaseMs,
    deadline: given.deadline,
    enqueuedAt: given.enqueuedAt,
    step: task.nextStep,
    lastSuccessfulStep: task.lastSuccessfulStep,
  };
}
