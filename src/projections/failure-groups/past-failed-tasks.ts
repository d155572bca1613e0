import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { FAILURE_TYPES } from '../../domain/task/failures.events.js';
import { taskIdOf, taskStream } from '../../domain/task/task.stream.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { FailedThen } from '../kernel/failed-then.port.js';
import { momentAt } from '../kernel/moments.js';
import { type Moment, Past, TooMuchToFold } from '../kernel/past.port.js';
import { groupedErrorIn } from '../kernel/grouped-error.js';
import { Grouping } from '../kernel/grouping.js';

/** The failures since the moment that one answer reads, and how long it looks for them. */
const READ = { most: 50_000, withinMs: 10_000 };
/** Histories that are read at once. */
const SLICE = 500;

/** Up to where the rows have the log. */
const REACHED = `select position from projection_checkpoints where name = 'failure-groups' and slot = 'live'`;
const IN_GROUPS = `select task_id as id from failed_tasks where group_id = any ($1) and failed_position <= $2`;

/** Tasks that have not failed since are in the group of now. Of the others, their histories tell. */
@Injectable()
export class PastFailedTasks extends FailedThen {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
    private readonly grouping: Grouping,
  ) {
    super();
  }

  async inGroups(groups: readonly string[], moment: Moment): Promise<readonly string[]> {
    const base = await this.baseOf(moment);
    const same = await this.db.query<{ id: string }[]>(IN_GROUPS, [groups, String(base)]);
    // Read after the rows, so that a task which fails meanwhile is among these.
    const since = await this.failedSince(base);
    const ids = new Set(same.map(({ id }) => id));
    for (let at = 0; at < since.length; at += SLICE) {
      const some = since.slice(at, at + SLICE);
      const histories = await this.past.historiesAt(some.map(taskStream), moment.position);
      for (const [of, id] of some.entries())
        if (groups.includes(this.lastGroupIn(histories[of]!) ?? '')) ids.add(id);
        else ids.delete(id);
    }
    return [...ids];
  }

  /** A position at or before the moment that the rows have reached, and from which the log can be read. */
  private async baseOf(moment: Moment): Promise<bigint> {
    const [row] = await this.db.query<{ position: string }[]>(REACHED);
    const reached = BigInt(row?.position ?? 0);
    if (reached <= moment.position) return reached;
    if (await this.past.canBeginAt(moment.position)) return moment.position;
    const { position } = await momentAt(this.past, new Date(Date.parse(moment.at) - 1));
    return position < moment.position ? position : 0n;
  }

  private async failedSince(after: bigint): Promise<readonly string[]> {
    const { position: upTo } = await this.past.now();
    const { events, isWhole } = await this.past.eventsOf({ types: FAILURE_TYPES, after, upTo, ...READ });
    if (!isWhole)
      throw new TooMuchToFold(READ.most, 'failures', {
        that: `since the moment, within ${READ.withinMs / 1_000} seconds`,
      });
    return [...new Set(events.map(({ stream }) => taskIdOf(stream)))];
  }

  private lastGroupIn(history: readonly Recorded[]): string | null {
    const errors = (history as readonly Recorded<TaskEvent>[]).flatMap(({ event }) => groupedErrorIn(event) ?? []);
    return errors.length === 0 ? null : this.grouping.groupOf(errors.at(-1)!);
  }
}
