import type { CaughtTask, PickedTask } from '../../application/claims/claim-source.port.js';
import { rowDiffers } from '../../application/kernel/disputes.js';
import { UnreadableStream } from '../../application/kernel/unreadable-stream.js';
import type { HoldRef, TaskEvent } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { beginsWait } from '../../projections/kernel/rows/task-row-change.js';
import { taskRowChange } from '../../projections/kernel/rows/task-row-rules.js';
import { eventCodec } from '../event-codec/event-codec.js';
import { segmentData, segmentTexts } from '../event-codec/segment-text.js';
import type { SeekFloor } from './seek-floors.js';

/**
 * A segment of the log with events of picked tasks, as lists separated by commas. For tasks with a single event it
 * lists all picked ones; for other tasks it has one event. Without tokens, `data` is a claim id that already got tasks or,
 * with the type `caught`, who holds the task.
 */
export interface PickRow {
  readonly tokens: string | null;
  /** Null for places of a shared extent whose tasks have no events: only the extent knew them. */
  readonly task_ids: string | null;
  /** The position of the first of these tasks' events. The others follow it. */
  readonly first: string;
  readonly queue_revision: number;
  readonly priority: number;
  /** The position of the segment's first event. */
  readonly position: string;
  readonly revision: number;
  /** This and the fields below are null if the index has a task without events. */
  readonly type: string | null;
  readonly version: number;
  readonly recorded_at: string;
  readonly shared: string | null;
  /** Null if another row has the data of the segment. */
  readonly data: string | null;
  /** The private halves of that data, if it has some. */
  readonly private: string | null;
  /** Where the trace stood within which these tasks were submitted; null if there was none, or if it is not their first event. */
  readonly trace: string | null;
  /** Whether tasks were left in line because the answer would be too large. The same in every row. */
  readonly more: boolean;
}

export const PICK = { name: 'waybill_pick', text: 'select * from waybill_pick($1, $2, $3, $4, $5, $6, $7, $8)' };

/** Picks one task out of turn. */
export const PICK_TASK = { name: 'waybill_pick_task', text: 'select * from waybill_pick_task($1, $2, $3)' };

/** A picked task with the events that were read so far. */
interface PickedHistory {
  readonly taskId: string;
  readonly token: string;
  readonly queueRevision: number;
  readonly trace: string | null;
  readonly events: PickedEvent[];
  /** Set if one of them cannot be read. */
  unreadable?: UnreadableStream;
}

interface PickedEvent {
  readonly revision: number;
  readonly recordedAt: string;
  readonly event: TaskEvent;
}

/** `heldBy`: JSON text. */
export const caughtTask = (taskId: string, heldBy: string): CaughtTask => ({
  taskId,
  heldBy: JSON.parse(heldBy) as HoldRef,
});

/** The tasks of the rows, in the order in which they were picked, and those that cannot be read. */
export interface PickedTasks {
  readonly tasks: readonly PickedTask[];
  readonly unreadable: readonly UnreadableStream[];
  /** The positions at which extents of the ready lane begin whose tasks have no events and no rows. */
  readonly lost: readonly string[];
}

export function pickedTasks(rows: readonly PickRow[]): PickedTasks {
  const tasks: PickedTask[] = [];
  const unreadable: UnreadableStream[] = [];
  for (const picked of inOrder(rows)) {
    const task = pickedTask(picked, tasks.length);
    if (task instanceof UnreadableStream) unreadable.push(task);
    else tasks.push(task);
  }
  return { tasks, unreadable, lost: rows.flatMap(({ task_ids: ids, first }) => (ids === null ? first : [])) };
}

function pickedTask(picked: PickedHistory, place: number): PickedTask | UnreadableStream {
  const { taskId, token, queueRevision, trace, events } = picked;
  if (picked.unreadable) return picked.unreadable;
  try {
    const history = events.map(({ event }) => event);
    const { revision } = events[events.length - 1]!;
    const waitingSince = events[becamePending(history)]!.recordedAt;
    const enqueuedAt = events[0]!.recordedAt;
    const task = { taskId, token, queueRevision, revision, place, enqueuedAt, waitingSince, history };
    return trace === null ? task : { ...task, traceparent: trace };
  } catch (error) {
    return new UnreadableStream(taskStream(taskId), null, error);
  }
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
function inOrder(rows: readonly PickRow[]): Iterable<PickedHistory> {
  const tasks = new Map<string, PickedHistory>();
  const segments = new Map(rows.filter(isWhole).map((row) => [row.position, dataOf(row)]));
  for (const row of rows) {
    if (row.type === null) addLost(tasks, row);
    else addTasks(tasks, row, row.type, ownData(row) ?? segments.get(row.position) ?? lacking);
  }
  return rows.length === 1
    ? tasks.values()
    : [...tasks.values()].sort((one, other) => Number(one.token) - Number(other.token));
}

/** A place in the ready lane whose task has no events. */
function addLost(
  tasks: Map<string, PickedHistory>,
  { tokens: token, task_ids: taskId, queue_revision: queueRevision }: PickRow,
) {
  if (taskId === null) return;
  const unreadable = rowDiffers(taskStream(taskId), 'no event, and ready');
  tasks.set(token!, { taskId, token: token!, queueRevision, trace: null, events: [], unreadable });
}

type WithData = PickRow & { readonly data: string };

const hasData = (row: PickRow): row is WithData => row.data !== null;

/** Whether the row has the data of a segment of several events, for all rows of that segment. */
const isWhole = (row: PickRow): row is WithData => row.type !== null && hasData(row) && row.data.includes('\n');

type DataOf = (at: number) => object;

/** The data of the row's own event; null if the row of its segment has it. */
const ownData = (row: PickRow): DataOf | null => (hasData(row) && !isWhole(row) ? dataOf(row) : null);

const lacking: DataOf = () => {
  throw new Error('Expected its segment to have a line for each event, but it has one');
};

function addTasks(tasks: Map<string, PickedHistory>, row: PickRow, type: string, data: DataOf): void {
  const { version, revision, queue_revision: queueRevision, recorded_at: recordedAt, trace } = row;
  const ids = row.task_ids!.split(',');
  const before = Number(row.first) - Number(row.position);
  row.tokens!.split(',').forEach((token, at) => {
    let task = tasks.get(token);
    if (!task) tasks.set(token, (task = { taskId: ids[at]!, token, queueRevision, trace, events: [] }));
    try {
      task.events.push({
        revision,
        recordedAt,
        event: eventCodec.upcast(type, version, data(before + at)) as TaskEvent,
      });
    } catch (error) {
      task.unreadable ??= new UnreadableStream(taskStream(task.taskId), BigInt(row.first) + BigInt(at), error);
    }
  });
}

/** Returns the data of one event. Throws if it is damaged, which the others need not be. */
function dataOf({ shared, data, private: hidden }: WithData): DataOf {
  try {
    const all = segmentData(shared, data, hidden);
    return (at) => all[at]!;
  } catch {
    const texts = segmentTexts(shared, data, hidden);
    return (at) => JSON.parse(texts[at]!) as object;
  }
}

/** The index of the event with which a pending task began to wait. */
export const becamePending = (history: readonly TaskEvent[]): number =>
  history.length === 1 ? 0 : history.findLastIndex((event) => beginsWait(taskRowChange(event)));
