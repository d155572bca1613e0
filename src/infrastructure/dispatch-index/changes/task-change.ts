import type { AppendItem } from '../../../application/kernel/event-store.port.js';
import { eventsWith } from '../../../domain/events.js';
import {
  type Restored,
  restoredIn,
  type Submission,
  type TaskEnqueued,
  type TaskEvent,
} from '../../../domain/task/task.events.js';
import {
  beginsWait,
  columnsOf,
  mergeTaskRowChanges,
  Writes,
  writes,
  type TaskRowChange,
} from '../../../projections/kernel/rows/task-row-change.js';
import {
  enters,
  holdIn,
  retries,
  takesPlace,
  taskRowChange,
  wasStopped,
} from '../../../projections/kernel/rows/task-row-rules.js';
import { type Guards, guardsInTurn } from '../guards.js';
import type { CreatedRow, IndexChange, PrerequisiteChange, TaskMove, TaskPatch } from './index-change.js';

const EXTENDS_FAILURE_STREAK = eventsWith('extends-failure-streak');

export const taskChange = (item: AppendItem): IndexChange =>
  plainChange(item) ?? { kind: 'move', move: taskMove(item) };

function plainChange({ events, conditions }: AppendItem): IndexChange | null {
  if (events.length !== 1 || conditions?.idempotencyKey || conditions?.behind) return null;
  const event = events[0]!.event as TaskEvent;
  if (event.type === 'TaskClaimed') return { kind: 'claim', data: event.data };
  if (event.type === 'TaskEnqueued') return isPlain(event.data) ? { kind: 'create', data: event.data } : null;
  const lease = conditions?.lease;
  if (event.type !== 'TaskSucceeded' || !lease || !('secret' in lease)) return null;
  return { kind: 'succeed', data: event.data, secret: lease.secret };
}

/**
 * Whether only the task's key must be checked, no time limits it, it says nothing of its worker, nobody searches its payload, it begins at its first step, and only its due time
 * can keep it from being ready.
 */
const isPlain = ({
  reference,
  heldBy,
  after,
  rerunOf,
  expiresAt,
  deadlineAt,
  needs,
  searchPaths,
}: TaskEnqueued['data']): boolean =>
  searchPaths === undefined &&
  needs === undefined &&
  reference === undefined &&
  heldBy === undefined &&
  after === undefined &&
  rerunOf === undefined &&
  expiresAt === undefined &&
  deadlineAt === undefined;

/** The change as a move, even if it has a fast path. */
export function taskMove(item: AppendItem): TaskMove {
  const events = item.events.map(({ event }) => event as TaskEvent);
  const change = events.map(taskRowChange).reduce(mergeTaskRowChanges);
  const after = prerequisitesIn(item.events);
  const start = change.created && events.find((event) => event.type === 'TaskClaimed');
  const restored = events.map(restoredIn).find((was) => was !== null);
  return {
    state: change.state,
    moved: after !== null || isPlacedAnew(change),
    patch: {
      ...columnsOf(change),
      ...(start && { token: start.data.token, lease: start.data.token }),
      ...(restored && backFrom(restored)),
    },
    enters: events.some((event) => enters(event, true)),
    released: events.some((event) => enters(event, false)),
    retried: events.some(retries),
    placed: placedIn(events),
    stopped: wasStopped(events.slice(-1)),
    hold: change.state === 'held' ? holdIn(events) : null,
    after,
    attempt_failed: events.some(({ type }) => EXTENDS_FAILURE_STREAK.has(type)),
    failed: writes(change, Writes.failedAt) ? change.failed : null,
    finished: writes(change, Writes.finishedAt) ? change.finished : null,
    created: change.created && createdRow(change.created),
    rerun: change.created?.rerunOf !== undefined,
    guards: guardsOfTask(item),
    start: start ? { ...start.data, secret: item.leaseSecret, holder: item.leaseHolder } : null,
    cancel: events.some(({ type }) => type === 'TaskCancelRequested'),
  };
}

function guardsOfTask(item: AppendItem): Guards | null {
  const guards = guardsInTurn(item);
  return Object.keys(guards).length > 0 ? guards : null;
}

/** How far the last event with which the task takes its place in line is before the last one. */
function placedIn(events: readonly TaskEvent[]): number | null {
  const last = events.findLastIndex(takesPlace);
  return last < 0 ? null : events.length - 1 - last;
}

/** What no other event takes back. */
const backFrom = ({ place, entered }: Restored): TaskPatch => ({ place: place ?? null, entered: entered ?? false });

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

const createdRow = ({ queue, kind, key, reference, labels, description, needs, batch }: Submission): CreatedRow => ({
  queue,
  kind,
  key,
  reference,
  labels,
  description,
  needs,
  batch,
});
