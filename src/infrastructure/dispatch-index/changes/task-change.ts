import type { AppendItem } from '../../../application/kernel/event-store.port.js';
import { eventsWith } from '../../../domain/events.js';
import type { TaskEnqueued, TaskEvent } from '../../../domain/task/task.events.js';
import {
  beginsWait,
  mergeTaskRowChanges,
  Writes,
  type TaskRowChange,
} from '../../../projections/tasks/task-row-change.js';
import { enters, holdIn, retries, takesPlace, taskRowChange } from '../../../projections/tasks/task-row-rules.js';
import type { IndexChange, PrerequisiteChange, TaskMove } from './index-change.js';

const EXTENDS_FAILURE_STREAK = eventsWith('extends-failure-streak');

export const taskChange = (item: AppendItem): IndexChange =>
  plainChange(item) ?? { kind: 'move', move: taskMove(item) };

function plainChange({ events, conditions }: AppendItem): IndexChange | null {
  if (events.length !== 1 || conditions?.idempotencyKey) return null;
  const event = events[0]!.event as TaskEvent;
  if (event.type === 'TaskClaimed') return { kind: 'claim', data: event.data };
  if (event.type === 'TaskEnqueued') return isPlain(event.data) ? { kind: 'create', data: event.data } : null;
  const lease = conditions?.lease;
  if (event.type !== 'TaskSucceeded' || !lease || !('secret' in lease)) return null;
  return { kind: 'succeed', data: event.data, secret: lease.secret };
}

/** Whether only the task's key must be checked, no time limits it, it begins at its first step, and only its due time can keep it from being ready. */
const isPlain = ({ reference, heldBy, after, rerunOf, expiresAt, deadlineAt }: TaskEnqueued['data']): boolean =>
  reference === undefined &&
  heldBy === undefined &&
  after === undefined &&
  rerunOf === undefined &&
  expiresAt === undefined &&
  deadlineAt === undefined;

/** The change as a move, even if it has a fast path. */
export function taskMove({ conditions, events: recorded, leaseSecret, leaseHolder }: AppendItem): TaskMove {
  const events = recorded.map(({ event }) => event as TaskEvent);
  const change = events.map(taskRowChange).reduce(mergeTaskRowChanges);
  const after = prerequisitesIn(recorded);
  const start = change.created && events.find((event) => event.type === 'TaskClaimed');
  return {
    patch: start ? { ...patchOf(change), token: start.data.token, lease: start.data.token } : patchOf(change),
    ...(change.state !== null && { state: change.state }),
    ...(isStopped(events) && { stopped: true as const }),
    ...(change.state === 'held' && holdIn(events)),
    ...((after || isPlacedAnew(change)) && { moved: true as const }),
    ...(after && { after }),
    ...(events.some(({ type }) => EXTENDS_FAILURE_STREAK.has(type)) && { attemptFailed: true as const }),
    ...((change.writes & Writes.failedAt) !== 0 && { failed: change.failed }),
    ...((change.writes & Writes.finishedAt) !== 0 && { finished: change.finished }),
    ...(change.created && { create: createdRow(change) }),
    ...(change.created?.rerunOf && { rerun: true as const }),
    ...(events.some((event) => enters(event, true)) && { enters: true as const }),
    ...(events.some((event) => enters(event, false)) && { released: true as const }),
    ...(events.some(retries) && { retried: true as const }),
    ...placedIn(events),
    ...(conditions?.lease && { lease: conditions.lease }),
    ...(conditions?.keyFree && { keyFree: conditions.keyFree }),
    ...(conditions?.notHeld && { notHeld: conditions.notHeld }),
    ...(start && { start: { ...start.data, secret: leaseSecret, holder: leaseHolder } }),
    ...(events.some(({ type }) => type === 'TaskCancelRequested') && { cancel: true as const }),
  };
}

/** The task takes its place in line with the last such event. */
function placedIn(events: readonly TaskEvent[]): { readonly placed?: number } {
  const last = events.findLastIndex(takesPlace);
  return last < 0 ? {} : { placed: events.length - 1 - last };
}

/** Whether a shutdown has stopped the task: its last event says so. */
export function isStopped(events: readonly TaskEvent[]): boolean {
  const last = events[events.length - 1];
  return last?.type === 'TaskCancelled' && last.data.shutdown === true;
}

/** Null if the events say nothing about what the task waits for. */
export function prerequisitesIn(recorded: AppendItem['events']): PrerequisiteChange | null {
  const changes = recorded.flatMap(({ event }) => {
    const { type, data } = event as TaskEvent;
    if (type === 'TaskPrerequisitesChanged') return { add: data.added, waive: data.waived };
    return 'after' in data ? { add: data.after!, waive: [] } : [];
  });
  if (changes.length === 0) return null;
  const request = recorded[0]!.envelope.correlationId;
  return { add: changes.flatMap(({ add }) => add), waive: changes.flatMap(({ waive }) => waive), request };
}

const isPlacedAnew = (change: TaskRowChange): boolean => beginsWait(change) || change.priority !== null;

function patchOf(change: TaskRowChange): Record<string, unknown> {
  const has = (bit: number): boolean => (change.writes & bit) !== 0;
  return {
    ...(change.state !== null && { state: change.state }),
    ...(change.attempt !== null && { attempt: change.attempt }),
    ...(change.priority !== null && { priority: change.priority }),
    ...(change.startedAt !== null && { started_at: change.startedAt }),
    ...(change.lastStep !== null && { last_step: change.lastStep }),
    ...(has(Writes.worker) && { worker: change.worker }),
    ...(has(Writes.step) && { step: change.step }),
    ...(has(Writes.dueAt) && { due_at: change.dueAt }),
    ...(has(Writes.expiresAt) && { expires_at: change.expiresAt }),
    ...(has(Writes.deadlineAt) && { deadline_at: change.deadlineAt }),
    ...(has(Writes.runUntil) && { run_until: change.runUntil }),
    ...(has(Writes.missed) && { missed: change.missed }),
    ...(has(Writes.error) && { error: change.error, error_class: change.errorClass }),
  };
}

function createdRow({ created }: TaskRowChange): Record<string, unknown> {
  const { queue, kind, key, reference, labels, description, batch } = created!;
  return { queue, kind, key, reference, labels, description, batch };
}
