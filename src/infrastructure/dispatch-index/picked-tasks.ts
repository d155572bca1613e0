import type { PickedTask } from '../../application/claims/claim-source.port.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { beginsWait } from '../../projections/tasks/task-row-change.js';
import { taskRowChange } from '../../projections/tasks/tasks.projection.js';
import { eventCodec } from '../event-codec/event-codec.js';

/** One event of a picked task, or (without a token) the claim id that was given tasks before. */
export interface PickRow {
  readonly task_id: string;
  readonly token: string | null;
  readonly queue_revision: number;
  readonly priority: number;
  readonly seq: string;
  readonly revision: number;
  readonly type: string;
  readonly version: number;
  readonly recorded_at: string;
  readonly data: string;
}

export const PICK = { name: 'waybill_pick', text: 'select * from waybill_pick($1, $2, $3, $4, $5)' };

/** One task, out of turn. */
export const PICK_TASK = { name: 'waybill_pick_task', text: 'select * from waybill_pick_task($1, $2)' };

/** The rows' tasks, in the order they were picked. */
export function pickedTasks(rows: readonly PickRow[]): PickedTask[] {
  const tasks: PickedTask[] = [];
  for (let from = 0; from < rows.length;) {
    const first = rows[from]!;
    let to = from + 1;
    while (to < rows.length && rows[to]!.task_id === first.task_id) to++;
    if (first.token !== null) tasks.push(pickedTask(first.token, tasks.length, rows.slice(from, to)));
    from = to;
  }
  return tasks;
}

function pickedTask(token: string, place: number, events: readonly PickRow[]): PickedTask {
  const first = events[0]!;
  const last = events[events.length - 1]!;
  const history = events.map(({ type, version, data }) => eventCodec.decode(type, version, data) as TaskEvent);
  return {
    taskId: first.task_id,
    token,
    queueRevision: first.queue_revision,
    revision: last.revision,
    place,
    enqueuedAt: first.recorded_at,
    waitingSince: events[becamePending(history)]!.recorded_at,
    history,
  };
}

/** The index of the event since which a pending task waits. */
export const becamePending = (history: readonly TaskEvent[]): number =>
  history.length === 1 ? 0 : history.findLastIndex((event) => beginsWait(taskRowChange(event)));
