import type { AppendItem } from '../../application/kernel/event-store.port.js';
import { type QueuePolicy, wholePolicy } from '../../domain/queue/queue.policy.js';
import type { QueueEvent } from '../../domain/queue/queue.events.js';
import type { TaskClaimed, TaskEnqueued, TaskEvent, TaskSucceeded } from '../../domain/task/task.events.js';
import { mergeTaskRowChanges, Writes, type TaskRowChange } from '../../projections/tasks/task-row-change.js';
import { taskRowChange } from '../../projections/tasks/tasks.projection.js';

/**
 * What an item's events do to the dispatch index and to the rows that are written with them. The three steps of a plain
 * life have a path of their own, set-based in SQL; everything else is a move, item by item.
 */
export type IndexChange =
  | { readonly kind: 'create'; readonly data: TaskEnqueued['data'] }
  | { readonly kind: 'claim'; readonly data: TaskClaimed['data'] }
  | { readonly kind: 'succeed'; readonly data: TaskSucceeded['data']; readonly secret: string }
  | { readonly kind: 'move'; readonly move: TaskMove }
  | { readonly kind: 'queue'; readonly row: Readonly<Record<string, unknown>> }
  | { readonly kind: 'none' };

/** One task's move as the SQL function `waybill_move` reads it. */
export interface TaskMove {
  readonly state?: string;
  /** The task's place in the index changes. */
  readonly moved?: true;
  readonly patch: Readonly<Record<string, unknown>>;
  /** An attempt failed, whatever follows for the task. */
  readonly attemptFailed?: true;
  readonly failed?: boolean;
  readonly finished?: boolean;
  readonly create?: Readonly<Record<string, unknown>>;
  readonly lease?: Readonly<Record<string, unknown>>;
  /** The token whose lease ends. */
  readonly release?: string;
  /** The token whose worker is to be told that its task is cancelled. */
  readonly cancel?: string;
}

export function indexChange(item: AppendItem): IndexChange {
  const events = item.events.map(({ event }) => event);
  const category = item.stream.slice(0, item.stream.indexOf('-'));
  if (category === 'queue') return { kind: 'queue', row: queueRow(events as readonly QueueEvent[]) };
  if (category !== 'task') return { kind: 'none' };
  return (
    plainChange(item, events as readonly TaskEvent[]) ?? {
      kind: 'move',
      move: taskMove(item, events as readonly TaskEvent[]),
    }
  );
}

/** The same as a follower of the log applies it, which checks nothing: every step but a claim is a move. */
export function followedChange(item: AppendItem): Exclude<IndexChange, { readonly kind: 'create' | 'succeed' }> {
  const change = indexChange({ stream: item.stream, expected: item.expected, events: item.events });
  return change.kind === 'create' || change.kind === 'succeed' ? asMove(item) : change;
}

/** The same where each item meets what those before it did: moves are made one by one, in their order. */
export function orderedChange(item: AppendItem): IndexChange {
  if (item.events.length === 0) return { kind: 'none' };
  const change = indexChange(item);
  return change.kind === 'create' || change.kind === 'succeed' ? asMove(item) : change;
}

const asMove = (item: AppendItem): Extract<IndexChange, { readonly kind: 'move' }> => ({
  kind: 'move',
  move: taskMove(
    item,
    item.events.map(({ event }) => event as TaskEvent),
  ),
});

function plainChange({ events, conditions }: AppendItem, [event]: readonly TaskEvent[]): IndexChange | null {
  if (events.length !== 1 || !event || conditions?.idempotencyKey) return null;
  if (event.type === 'TaskClaimed') return { kind: 'claim', data: event.data };
  if (event.type === 'TaskEnqueued') return isPlain(event.data) ? { kind: 'create', data: event.data } : null;
  const lease = conditions?.lease;
  if (event.type !== 'TaskSucceeded' || !lease || !('secret' in lease)) return null;
  return { kind: 'succeed', data: event.data, secret: lease.secret };
}

/** Nothing to check but its key, and nothing else that keeps it from being offered but its time. */
const isPlain = (data: TaskEnqueued['data']): boolean => data.reference === undefined && data.heldBy === undefined;

function taskMove({ conditions }: AppendItem, events: readonly TaskEvent[]): TaskMove {
  const change = events.map(taskRowChange).reduce(mergeTaskRowChanges);
  const release = events.find((event) => 'token' in event.data)?.data as { token: string } | undefined;
  const cancel = events.find((event) => event.type === 'TaskCancelRequested')?.data;
  const moved = change.state !== null || events.some(repositions);
  return {
    patch: patchOf(change),
    ...(change.state !== null && { state: change.state }),
    ...(moved && { moved: true as const }),
    ...(events.some(({ type }) => type === 'TaskAttemptFailed') && { attemptFailed: true as const }),
    ...((change.writes & Writes.failedAt) !== 0 && { failed: change.failed }),
    ...((change.writes & Writes.finishedAt) !== 0 && { finished: change.finished }),
    ...(change.created && { create: createdRow(change) }),
    ...(conditions?.lease && { lease: conditions.lease }),
    ...(release && { release: release.token }),
    ...(cancel && { cancel: (cancel as { token: string }).token }),
  };
}

const repositions = ({ type }: TaskEvent): boolean => type === 'TaskReprioritised' || type === 'TaskRescheduled';

function patchOf(change: TaskRowChange): Record<string, unknown> {
  const has = (bit: number): boolean => (change.writes & bit) !== 0;
  return {
    ...(change.state !== null && { state: change.state }),
    ...(change.attempt !== null && { attempt: change.attempt }),
    ...(change.priority !== null && { priority: change.priority }),
    ...(change.startedAt !== null && { started_at: change.startedAt }),
    ...(change.lastStep !== null && { last_step: change.lastStep }),
    ...(has(Writes.worker) && { worker: change.worker }),
    ...(has(Writes.dueAt) && { due_at: change.dueAt }),
    ...(has(Writes.error) && { error: change.error, error_class: change.errorClass }),
  };
}

function createdRow({ created }: TaskRowChange): Record<string, unknown> {
  const { queue, kind, key, reference, labels, description } = created!;
  return { queue, kind, key, reference, labels, description };
}

/** The columns of the queue's row that its events write. */
export function queueRow(events: readonly QueueEvent[]): Record<string, unknown> {
  return Object.assign({ name: events[0]!.data.queue }, ...events.map(queueColumns)) as Record<string, unknown>;
}

const NOT_PAUSED = { pause_by: null, pause_reason: null, pause_until: null, pause_failure: null };
const NO_FAILURES = { failure_streak: 0, failure_task: null };
const INTAKE_OPEN = { intake_open: true, intake_by: null, intake_reason: null };

function queueColumns(event: QueueEvent): Record<string, unknown> {
  switch (event.type) {
    case 'QueueDefined':
      return { ...policyColumns(event.data), status: 'active', ...NOT_PAUSED, ...INTAKE_OPEN };
    case 'QueuePolicyChanged':
      return policyColumns(event.data);
    case 'QueuePaused': {
      const { by, reason, until, failure = null } = event.data;
      return { status: 'paused', pause_by: by, pause_reason: reason, pause_until: until, pause_failure: failure };
    }
    case 'QueueIntakeClosed':
      return { intake_open: false, intake_by: event.data.by, intake_reason: event.data.reason };
    case 'QueueIntakeOpened':
      return INTAKE_OPEN;
    case 'QueueResumed':
    case 'QueueReopened':
      return { status: 'active', ...NOT_PAUSED, ...NO_FAILURES };
    case 'QueueActivated':
      return { status: 'active' };
    case 'QueueWaiting':
      return { status: 'waiting' };
    case 'QueueFinished':
      return { status: 'finished', ...NOT_PAUSED };
    case 'QueueDeleted':
      return { status: 'deleted', ...NOT_PAUSED };
    case 'QueueReservationAbandoned':
      return {};
  }
}

const policyColumns = (data: {
  description: string;
  policy: QueuePolicy;
  policyVersion: number;
}): Record<string, unknown> => ({
  description: data.description,
  policy: wholePolicy(data.policy),
  policy_version: data.policyVersion,
  ...NO_FAILURES,
});
