import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Recorded } from '../kernel/event-log.port.js';
import { type Moment, Past } from '../kernel/past.port.js';
import type { TaskEventOf } from '../../domain/task/task.events.js';
import { MOST_READ } from './most-read.js';

/** How long, and up to how many, changes are looked for of what tasks wait for. They are rare. */
const WITHIN_MS = 2_000;
const MOST_CHANGES = 10_000;

/** The tasks of then that wait for one of these now, or did until they were done. */
const WAITERS = `select distinct p.task_id as id from prerequisites p join known_tasks t on t.task_id = p.task_id
  where p.needs = any ($1::uuid[]) and t.seq <= $2 order by 1 limit ${MOST_READ} + 1`;

interface WaivedSince {
  /** By what was waived: who had waited for it. */
  readonly waivedSince: ReadonlyMap<string, string[]>;
  /** Whether nothing was left out. */
  readonly isWhole: boolean;
}

/** Finds the tasks that may have waited for others at a moment: from rows those that still do, from the log the others. */
@Injectable()
export class PastWaiters {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
  ) {}

  async of(needs: readonly string[], waived: WaivedSince['waivedSince'], { position }: Moment): Promise<string[]> {
    const rows = await this.db.query<{ id: string }[]>(WAITERS, [needs, String(position)]);
    return [...new Set([...rows.map(({ id }) => id), ...needs.flatMap((id) => waived.get(id) ?? [])])];
  }

  async waivedSince({ position }: Moment): Promise<WaivedSince> {
    const { position: upTo } = await this.past.now();
    const types = ['TaskPrerequisitesChanged'];
    const asked = { types, after: position, upTo, most: MOST_CHANGES, withinMs: WITHIN_MS };
    const { events, isWhole } = await this.past.eventsOf(asked);
    const waivedSince = new Map<string, string[]>();
    for (const { stream, event } of events as readonly Change[])
      for (const id of event.data.waived)
        waivedSince.set(id, [...(waivedSince.get(id) ?? []), stream.slice('task-'.length)]);
    return { waivedSince, isWhole };
  }
}

type Change = Recorded<TaskEventOf<'TaskPrerequisitesChanged'>>;
