import type { HoldRef, TaskEvent, TaskStatus } from '../../domain/task/task.events.js';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { faultOf } from './fault.js';
import { noRetryIn } from './retry.js';
import type { Reason } from './why.js';

type Ended = Extract<Reason, { readonly because: 'ended' }>;

/** By which a task that fails is tried again: the policy of its queue, and its step. */
interface Rules {
  readonly policy: QueuePolicy;
  readonly step: string | null;
}

/** What a task's history says about its current state; null if it says nothing, or is ahead of the state. */
export function reasonFromHistory(
  state: TaskStatus,
  history: readonly Recorded[],
  { policy, step }: Rules,
): Reason | null {
  const events = history as readonly Recorded<TaskEvent>[];
  if (state === 'held') return held(events);
  const last = events.findLast((recorded) => END[state]?.includes(recorded.event.type) ?? false);
  if (last === undefined) return null;
  if (state === 'running') return cancelRequested(last, events);
  if (state === 'undecided') return { because: 'decision', at: last.recordedAt, error: faultOf(last.event)! };
  return {
    ...ended(state, last),
    ...(events.some(({ event }) => event.type === 'TaskErased') && { erased: true }),
    ...(state === 'failed' && noRetryIn(history, policy, step)),
  };
}

/** The job for which the task was claimed last; null if a worker claimed it for itself. */
export function jobIn(history: readonly Recorded[]): string | null {
  const claim = (history as readonly Recorded<TaskEvent>[]).findLast(
    ({ event }) => event.type === 'TaskClaimed',
  )?.event;
  return claim?.type === 'TaskClaimed' ? (claim.data.job ?? null) : null;
}

/** The events with which each state can begin. For a running task, the request to cancel it. */
const END: Readonly<Partial<Record<TaskStatus, readonly TaskEvent['type'][]>>> = {
  running: ['TaskCancelRequested'],
  undecided: ['TaskDecisionRequested'],
  failed: ['TaskFailed', 'TaskEnqueueRejected', 'TaskOverruled'],
  succeeded: ['TaskSucceeded', 'TaskOverruled'],
  cancelled: ['TaskCancelled'],
  aborted: ['TaskAborted'],
  superseded: ['TaskSuperseded'],
  deleted: ['TaskDeleted'],
};

function held(events: readonly Recorded<TaskEvent>[]): Reason | null {
  const holds = events.flatMap(({ event }) => ('heldBy' in event.data ? [event.data.heldBy as HoldRef] : []));
  const last = holds.at(-1);
  if (!last) return null;
  const { by, reason = null, hold } = last;
  return { because: 'held', by, reason, ...(hold !== undefined && { hold }) };
}

/** Looks only at the current attempt. */
function cancelRequested({ event, recordedAt }: Recorded<TaskEvent>, events: readonly Recorded<TaskEvent>[]) {
  const claim = events.findLast(({ event: { type } }) => type === 'TaskClaimed')?.event;
  if (event.type !== 'TaskCancelRequested' || claim?.type !== 'TaskClaimed') return null;
  const { by, reason = null, worker, then, token } = event.data;
  if (token !== claim.data.token) return null;
  return { because: 'cancel-requested', by, reason, at: recordedAt, worker, then } as const;
}

interface EndData {
  readonly by?: string;
  readonly reason?: string;
  readonly final?: boolean;
  readonly bySuccessOf?: string;
  readonly conflictingTaskId?: string;
}

function ended(state: TaskStatus, { event, envelope, recordedAt }: Recorded<TaskEvent>): Ended {
  const { by, reason: given, final, bySuccessOf, conflictingTaskId } = event.data as EndData;
  const { actor, reason = given } = envelope as { readonly actor: string; readonly reason?: string };
  return {
    because: 'ended',
    state,
    // A worker that stopped records the request of somebody else.
    by: by ?? actor,
    at: recordedAt,
    reason: reason ?? null,
    error: faultOf(event),
    final: final === true || event.type === 'TaskEnqueueRejected',
    taskId: bySuccessOf ?? conflictingTaskId ?? null,
  };
}
