import type { ClaimAnswer, ClaimRefusal, ClaimRequest } from '../../application/claims/task-claimer.port.js';
import type { AppendItem } from '../../application/kernel/event-store.port.js';
import type { StandingClaim } from '../../domain/queue-consumer/consumer.commands.js';
import type { Grants } from './claimed-task.js';

/** What a queue's limits leave for the requests of one claim. */
export interface ClaimQuota {
  /** The request that each task may go to, by its index: as many as may be picked. */
  readonly places: readonly number[];
  /** By request. */
  readonly refusals: readonly (ClaimRefusal | null)[];
  /** The task to pick before any other. */
  readonly first: string | null;
  /** Recorded with the claim of a task, and only with one. */
  readonly withTask: AppendItem | null;
  /** Recorded in any case. */
  readonly alone: AppendItem | null;
  /** The overdue claim to be ended before the queue gives anything out. */
  readonly reset: StandingClaim | null;
}

export const NOTHING_BESIDE = { first: null, withTask: null, alone: null, reset: null };

/** As many as the requests ask for. */
export const everything = (requests: readonly ClaimRequest[]): ClaimQuota => ({
  ...NOTHING_BESIDE,
  places: requests.flatMap(({ max }, index) => Array.from({ length: max }, () => index)),
  refusals: requests.map(() => null),
});

/** What is recorded beside the claims of this many tasks. */
export function besides({ alone, withTask }: ClaimQuota, claims: number): AppendItem[] {
  if (alone) return [alone];
  return withTask && claims > 0 ? [withTask] : [];
}

/** What each request got. One of them resets what is to be reset; the others find the queue taken, or not. */
export const answersOf = (grants: readonly Grants[], { refusals, reset }: ClaimQuota): ClaimAnswer[] =>
  grants.map(({ tasks, position }, index) => ({
    tasks,
    position,
    refusal: tasks.length > 0 ? null : refusals[index]!,
    reset: reset && index === 0 ? { taskId: reset.taskId, token: reset.token } : null,
  }));
