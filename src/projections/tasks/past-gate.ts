import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BatchEvent } from '../../domain/batch/batch.events.js';
import { batchStream } from '../../domain/batch/batch.stream.js';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { Prerequisite, TaskEvent } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { type Moment, Past } from '../kernel/past.port.js';
import { batchRow } from '../kernel/rows/batch-row.js';
import { type PastTask, pastTask, stateOf } from './past-task.js';
import type { JoinedColumns } from './task-view.js';

/** The tasks of the key that were there then, and that may have been open or failed. Those in between are folded. */
const OTHERS = `select task_id as id from known_tasks where queue = $1 and key = $2 and seq <= $3 and task_id <> $4
  and (position > $3 or state not in ('succeeded', 'superseded', 'cancelled', 'aborted', 'deleted')) order by seq limit 1000`;

const DONE: ReadonlySet<string> = new Set(['succeeded', 'superseded', 'completed', 'deleted']);

/** What a pending task waited for: the rules by which the index places it (`waybill_offer`), on the folds of then. */
@Injectable()
export class PastGate {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
  ) {}

  async of(task: PastTask, policy: QueuePolicy, moment: Moment): Promise<JoinedColumns['gate']> {
    const own = await this.ownGate(task, moment);
    if (own !== null || task.row.key === null) return own;
    return (await this.isKeyTaken(task, policy, moment)) ? 'key' : null;
  }

  /** Apart from its key. */
  private async ownGate(task: PastTask, moment: Moment): Promise<'prerequisites' | 'due' | null> {
    if (await this.isBlocked(task, moment)) return 'prerequisites';
    const { due_at: due } = task.row;
    return due !== null && Date.parse(due) > Date.parse(moment.at) ? 'due' : null;
  }

  private async isBlocked({ row, events }: PastTask, moment: Moment): Promise<boolean> {
    if (row.batch !== null && (await this.isStaged(row.batch, moment))) return true;
    const after = prerequisitesIn(events);
    const streams = after.map((one) => ('task' in one ? taskStream(one.task) : batchStream(one.batch)));
    const histories = await this.past.historiesAt(streams, moment.position);
    return after.some((one, at) => !isClosed(one, histories[at]!));
  }

  /** Not open yet, or about to end. */
  private async isStaged(batch: string, { position }: Moment): Promise<boolean> {
    const [events] = await this.past.historiesAt([batchStream(batch)], position);
    const { state, error } = batchRow(events!.map(({ event }) => event as BatchEvent)) ?? {};
    return state === 'planning' || state === 'aborted' || state === 'deleted' || (error ?? null) !== null;
  }

  private async isKeyTaken(task: PastTask, { onKeyFailure }: QueuePolicy, moment: Moment): Promise<boolean> {
    const byAge = onKeyFailure === 'block';
    for (const other of await this.othersOf(task, moment)) {
      if (other.row.state === 'running') return true;
      const isEarlier = BigInt(other.row.seq) < BigInt(task.row.seq);
      const gate = other.row.state === 'pending' ? await this.ownGate(other, moment) : null;
      if (byAge && isEarlier && blocksKey(other, gate)) return true;
      if (other.row.state === 'pending' && gate === null && precedes(other, task, byAge)) return true;
    }
    return false;
  }

  private async othersOf({ row }: PastTask, { position }: Moment): Promise<readonly PastTask[]> {
    const found = await this.db.query<{ id: string }[]>(OTHERS, [row.queue, row.key, String(position), row.task_id]);
    const histories = await this.past.historiesAt(
      found.map(({ id }) => taskStream(id)),
      position,
    );
    return found.flatMap(({ id }, at) => pastTask(id, histories[at] as readonly Recorded<TaskEvent>[]) ?? []);
  }
}

/** The later of several changes of one prerequisite counts. */
function prerequisitesIn(events: PastTask['events']): readonly Prerequisite[] {
  const after = new Map<string, Prerequisite>();
  for (const { event } of events) {
    const { added, waived } =
      event.type === 'TaskPrerequisitesChanged'
        ? event.data
        : { added: 'after' in event.data ? event.data.after! : [], waived: [] };
    for (const id of waived) after.delete(id);
    for (const one of added) after.set('task' in one ? one.task : one.batch, one);
  }
  return [...after.values()];
}

function isClosed(one: Prerequisite, history: readonly Recorded[]): boolean {
  const state =
    'task' in one
      ? stateOf(history as readonly Recorded<TaskEvent>[])
      : batchRow(history.map(({ event }) => event as BatchEvent))?.state;
  return DONE.has(String(state)) || (one.ignore === true && state === 'aborted');
}

/** As `waybill_key_blocker`: it failed, or was given out before and cannot run now. */
function blocksKey({ row }: PastTask, gate: string | null): boolean {
  if (row.state === 'failed' || row.state === 'undecided') return true;
  return row.attempt > 0 && (row.state === 'held' || (row.state === 'pending' && gate !== null));
}

/** As `waybill_overtake`. */
function precedes({ row: one }: PastTask, { row: other }: PastTask, byAge: boolean): boolean {
  if (one.priority !== other.priority) return one.priority > other.priority;
  const placeOf = ({ place, seq }: PastTask['row']): bigint => BigInt(byAge ? seq : (place ?? seq));
  return placeOf(one) < placeOf(other);
}
