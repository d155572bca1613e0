import type { PickedTask } from '../../application/claims/claim-source.port.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { beginsWait } from '../../projections/tasks/task-row-change.js';
import { taskRowChange } from '../../projections/tasks/tasks.projection.js';
import { eventCodec } from '../event-codec/event-codec.js';
import { segmentData } from '../event-codec/segment-text.js';
import type { SeekFloor } from './seek-floors.js';

/**
 * A segment of the log with events of picked tasks, as lists separated by commas. For tasks with a single event it
 * lists all picked ones; for other tasks it has one event. Without tokens, `data` is a claim id that already got tasks.
 */
export interface PickRow {
  readonly tokens: string | null;
  readonly task_ids: string;
  /** The position of the first of these tasks' events. The others follow it. */
  readonly first: string;
  readonly queue_revision: number;
  readonly priority: number;
  /** The position of the segment's first event. */
  readonly position: string;
  readonly revision: number;
  readonly type: string;
  readonly version: number;
  readonly recorded_at: string;
  readonly shared: string | null;
  readonly data: string;
}

export const PICK = { name: 'waybill_pick', text: 'select * from waybill_pick($1, $2, $3, $4, $5)' };

/** Picks one task out of turn. */
export const PICK_TASK = { name: 'waybill_pick_task', text: 'select * from waybill_pick_task($1, $2)' };

/** A picked task with the events that were read so far. */
interface Picked {
  readonly taskId: string;
  readonly token: string;
  readonly queueRevision: number;
  readonly events: PickedEvent[];
}

interface PickedEvent {
  readonly revision: number;
  readonly recordedAt: string;
  readonly event: TaskEvent;
}

/** The tasks of the rows, in the order in which they were picked. */
export function pickedTasks(rows: readonly PickRow[]): PickedTask[] {
  return [...inOrder(rows)].map(({ taskId, token, queueRevision, events }, place) => {
    const history = events.map(({ event }) => event);
    const { revision } = events[events.length - 1]!;
    const waitingSince = events[becamePending(history)]!.recordedAt;
    return { taskId, token, queueRevision, revision, place, enqueuedAt: events[0]!.recordedAt, waitingSince, history };
  });
}

/** Where the pick began to find tasks; null if it found none. */
export function frontOf(rows: readonly PickRow[]): SeekFloor | null {
  let front: { readonly token: number; readonly floor: SeekFloor } | null = null;
  for (const { tokens, first, priority } of rows) {
    if (tokens === null) return null;
    const token = Number.parseInt(tokens, 10);
    if (!front || token < front.token) front = { token, floor: { priority, seq: first } };
  }
  return front && front.floor;
}

/** Sorts by token, because tokens are assigned in claim order. The events of one task are already in order. */
function inOrder(rows: readonly PickRow[]): Iterable<Picked> {
  const tasks = new Map<string, Picked>();
  for (const row of rows) addTasks(tasks, row);
  return rows.length === 1
    ? tasks.values()
    : [...tasks.values()].sort((one, other) => Number(one.token) - Number(other.token));
}

function addTasks(tasks: Map<string, Picked>, row: PickRow): void {
  const { type, version, revision, queue_revision: queueRevision, recorded_at: recordedAt } = row;
  const ids = row.task_ids.split(',');
  const data = segmentData(row.shared, row.data);
  const before = Number(row.first) - Number(row.position);
  row.tokens!.split(',').forEach((token, at) => {
    const event = eventCodec.upcast(type, version, data[before + at]!) as TaskEvent;
    const known = tasks.get(token);
    const events = known?.events ?? [];
    events.push({ revision, recordedAt, event });
    if (!known) tasks.set(token, { taskId: ids[at]!, token, queueRevision, events });
  });
}

/** The index of the event with which a pending task began to wait. */
export const becamePending = (history: readonly TaskEvent[]): number =>
  history.length === 1 ? 0 : history.findLastIndex((event) => beginsWait(taskRowChange(event)));
