import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BatchEvent } from '../../domain/batch/batch.events.js';
import { batchStream } from '../../domain/batch/batch.stream.js';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { Prerequisite, TaskEvent } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { type Moment, Past } from '../kernel/past.port.js';
import { addedIn, idOf, isClosed, prerequisitesAfter } from '../kernel/prerequisites-then.js';
import { type BlockerThen, type KeyThen, TasksThen, type TaskThen } from '../kernel/tasks-then.port.js';
import { batchRow } from '../kernel/rows/batch-row.js';
import { type PastTask, pastTask, stateOf, taskAsOf } from './past-task.js';
import type { JoinedColumns } from './task-view.js';

/** The tasks of the key that were there then, and that may have been open or failed. Those in between are folded. */
const OTHERS = `select task_id as id from known_tasks where queue = $1 and key = $2 and seq <= $3 and task_id <> $4
  and (position > $3 or state not in ('succeeded', 'superseded', 'cancelled', 'aborted', 'deleted')) order by seq limit 1000`;

/** By the rules by which the index places tasks (`waybill_offer`). */
@Injectable()
export class PastGate extends TasksThen {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
  ) {
    super();
  }

  over(past: Past): TasksThen {
    return new PastGate(this.db, past);
  }

  prerequisitesOf({ events }: TaskThen): readonly string[] {
    return events.flatMap(({ event }) => addedIn(event)).map(streamOf);
  }

  at(id: string, moment: Moment): Promise<PastTask> {
    return taskAsOf(this.past, id, moment);
  }

  async of(task: TaskThen, policy: QueuePolicy, moment: Moment): Promise<JoinedColumns['gate']> {
    const own = await this.ownGate(task, moment);
    if (own !== null || task.row.key === null) return own;
    return (await this.keyOf(task, policy, moment)) === null ? null : 'key';
  }

  async ownGate(task: TaskThen, moment: Moment): Promise<'prerequisites' | 'due' | null> {
    if ((await this.blockersOf(task, moment)).length > 0) return 'prerequisites';
    const { due_at: due } = task.row;
    return due !== null && Date.parse(due) > Date.parse(moment.at) ? 'due' : null;
  }

  async blockersOf({ row, events }: TaskThen, { position }: Moment): Promise<readonly BlockerThen[]> {
    const after = prerequisitesAfter(events);
    const histories = await this.past.historiesAt(after.map(streamOf), position);
    const open = after.flatMap((one, at) => {
      const state = prerequisiteState(one, histories[at]!);
      return isClosed(one, state) ? [] : { id: idOf(one), state };
    });
    if (row.batch === null) return open;
    const [batch] = await this.past.historiesAt([batchStream(row.batch)], position);
    return isStaged(batch!) ? [{ id: row.batch, state: batchStateOf(batch!) }, ...open] : open;
  }

  async keyOf(task: TaskThen, { onKeyFailure }: QueuePolicy, moment: Moment): Promise<KeyThen | null> {
    const byAge = onKeyFailure === 'block';
    let [running, ahead, blocker]: [TaskThen?, TaskThen?, TaskThen?] = [];
    for (const other of await this.othersOf(task, moment)) {
      if (other.row.state === 'running') running ??= other;
      const isEarlier = BigInt(other.row.seq) < BigInt(task.row.seq);
      const gate = other.row.state === 'pending' ? await this.ownGate(other, moment) : null;
      if (byAge && isEarlier && blocksKey(other, gate)) blocker ??= other;
      if (other.row.state === 'pending' && gate === null && precedes(other, ahead ?? task, byAge)) ahead = other;
    }
    const occupant = running ?? ahead;
    if (!occupant && !blocker) return null;
    return { occupant: occupant?.row.task_id ?? null, blocker: blocker?.row ?? null };
  }

  async othersOfKey({ row }: TaskThen, { position }: Moment): Promise<readonly string[]> {
    const found = await this.db.query<{ id: string }[]>(OTHERS, [row.queue, row.key, String(position), row.task_id]);
    return found.map(({ id }) => id);
  }

  private async othersOf(task: TaskThen, moment: Moment): Promise<readonly PastTask[]> {
    const found = await this.othersOfKey(task, moment);
    const histories = await this.past.historiesAt(found.map(taskStream), moment.position);
    return found.flatMap((id, at) => pastTask(id, histories[at] as readonly Recorded<TaskEvent>[]) ?? []);
  }
}

const streamOf = (one: Prerequisite): string => ('task' in one ? taskStream(one.task) : batchStream(one.batch));

const batchStateOf = (history: readonly Recorded[]): string =>
  String(batchRow(history.map(({ event }) => event as BatchEvent))?.state ?? null);

const prerequisiteState = (one: Prerequisite, history: readonly Recorded[]): string =>
  'task' in one ? String(stateOf(history as readonly Recorded<TaskEvent>[])) : batchStateOf(history);

/** Not open yet, or about to end. */
function isStaged(history: readonly Recorded[]): boolean {
  const { state, error } = batchRow(history.map(({ event }) => event as BatchEvent)) ?? {};
  return state === 'planning' || state === 'aborted' || state === 'deleted' || (error ?? null) !== null;
}

/** As `waybill_key_blocker`: it failed, or was given out before and cannot run now. */
function blocksKey({ row }: TaskThen, gate: string | null): boolean {
  if (row.state === 'failed' || row.state === 'undecided') return true;
  return row.attempt > 0 && (row.state === 'held' || (row.state === 'pending' && gate !== null));
}

/** As `waybill_overtake`. */
function precedes({ row: one }: TaskThen, { row: other }: TaskThen, byAge: boolean): boolean {
  if (one.priority !== other.priority) return one.priority > other.priority;
  const placeOf = ({ place, seq }: TaskThen['row']): bigint => BigInt(byAge ? seq : (place ?? seq));
  return placeOf(one) < placeOf(other);
}
