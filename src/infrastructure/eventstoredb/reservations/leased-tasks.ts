import type {
  CaughtTask,
  ClaimQuota,
  ClaimRequest,
  PickedTask,
} from '../../../application/claims/claim-source.port.js';
import { newId } from '../../../application/kernel/new-id.js';
import { UnreadableStream } from '../../../application/kernel/unreadable-stream.js';
import { taskStream } from '../../../domain/task/task.stream.js';
import { becamePending, caughtTask } from '../../dispatch-index/picked-tasks.js';
import type { KeptEvent } from './open-history.js';

/** A place of a request: its future lease, and the id of the event that records the claim. */
export interface RequestedLease {
  /** Its index in the quota. */
  readonly place: number;
  readonly id: string;
  readonly claimId: string;
  readonly worker: string;
  readonly server: string;
  readonly holder: string | null;
  readonly secret: string;
  readonly leaseMs: number;
}

export interface PickRow {
  /** Counted from 1. */
  readonly place: number;
  readonly task_id: string;
  /** Null if the claim id already got tasks, or a hold catches the task. */
  readonly token: string | null;
  readonly queue_revision: number;
  readonly revision: number;
  /** Null unless the claim id already got tasks. */
  readonly claim_id: string | null;
  readonly at: string;
  /**
   * What is recorded of the task, as `keptHistory` reads it; null if it is not at hand. Of a task that a hold catches,
   * who holds it.
   */
  readonly history: string | null;
  /** Whether tasks were left for their size. The same in every row. */
  readonly more: boolean;
}

/** A task with the lease that was taken for a place. */
export interface LeasedTask {
  readonly place: RequestedLease;
  readonly taskId: string;
  readonly token: string;
  readonly queueRevision: number;
  /** The task's revision according to the index. */
  readonly revision: number;
  /** The database's time of the reservation. */
  readonly at: string;
  readonly history: string | null;
}

export function placesOf(requests: readonly ClaimRequest[], { places, leases }: ClaimQuota): RequestedLease[] {
  return places.map((request, place) => {
    const { claimId, worker, server, limit } = requests[request]!;
    return { place, id: newId(), claimId, worker, server, holder: limit?.holder ?? null, ...leases[request]! };
  });
}

export function reservedOf(row: PickRow, places: readonly RequestedLease[]): LeasedTask[] {
  const { place, task_id: taskId, token, queue_revision: queueRevision, revision, at, history } = row;
  return token === null ? [] : [{ place: places[place - 1]!, taskId, token, queueRevision, revision, at, history }];
}

export const caughtIn = ({ token, claim_id, task_id: taskId, history }: PickRow): CaughtTask[] =>
  token === null && claim_id === null ? [caughtTask(taskId, history!)] : [];

export function pickedOr(reserved: LeasedTask, history: () => readonly KeptEvent[]): PickedTask | UnreadableStream {
  try {
    return pickedTask(reserved, history());
  } catch (error) {
    return new UnreadableStream(taskStream(reserved.taskId), null, error);
  }
}

const pickedTask = (
  { place: { place, id: eventId }, taskId, token, queueRevision, revision }: LeasedTask,
  recorded: readonly KeptEvent[],
): PickedTask => {
  const history = recorded.map(({ event }) => event);
  const { traceparent } = recorded[0]!;
  return {
    taskId,
    token,
    queueRevision,
    revision,
    place,
    eventId,
    enqueuedAt: recorded.find(({ event }) => 'kind' in event.data)!.recordedAt,
    waitingSince: recorded[becamePending(history)]!.recordedAt,
    ...(traceparent !== undefined && { traceparent }),
    history,
  };
};
