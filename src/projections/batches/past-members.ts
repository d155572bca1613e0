import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { TaskStatus } from '../../domain/task/task.events.js';
import { inOneSnapshot } from '../kernel/one-snapshot.js';
import { type Moment, TooMuchToFold } from '../kernel/past.port.js';
import { PastTasks } from '../kernel/past-tasks.js';

/** How many tasks of a batch were in a state of a queue, and which step they had completed last. */
export interface MembersThen {
  readonly batch: string;
  readonly queue: string;
  readonly step: string | null;
  readonly state: TaskStatus;
  readonly tasks: number;
}

/** Histories that are folded at once, and the most of one answer. */
const FOLDED = 500;
const MOST_FOLDED = 200_000;

/** Nothing has changed them since. */
const SAME = `select batch, queue, last_step as step, state, count(*)::int as tasks from known_tasks
  where batch = any ($1::uuid[]) and position <= $2 group by batch, queue, last_step, state`;
const CHANGED = `select task_id as id from known_tasks where batch = any ($1::uuid[]) and seq <= $2 and position > $2
  limit ${MOST_FOLDED} + 1`;

/** Counts the tasks of batches as of a moment. */
@Injectable()
export class PastMembers {
  constructor(
    private readonly db: DataSource,
    private readonly tasks: PastTasks,
  ) {}

  /** In the order of queues, steps and states. Throws `TooMuchToFold`. */
  async of(batches: readonly string[], moment: Moment): Promise<readonly MembersThen[]> {
    // In one snapshot, so that a task that changes meanwhile is counted once.
    const { same, changed } = await inOneSnapshot(this.db, (db) => rowsIn(db, batches, moment));
    if (changed.length > MOST_FOLDED) throw new TooMuchToFold(MOST_FOLDED);
    const counts = new Map(same.map((one) => [keyOf(one), one]));
    for (let at = 0; at < changed.length; at += FOLDED)
      for (const one of await this.tasks.at(changed.slice(at, at + FOLDED), moment)) {
        if (one === null) continue;
        const member = { ...one, batch: one.batch! };
        counts.set(keyOf(member), countedWith(member, counts.get(keyOf(member))));
      }
    return [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count);
  }
}

type Member = Omit<MembersThen, 'tasks'>;

const countedWith = ({ batch, queue, step, state }: Member, counted: MembersThen | undefined): MembersThen => ({
  batch,
  queue,
  step,
  state,
  tasks: (counted?.tasks ?? 0) + 1,
});

const keyOf = ({ batch, queue, step, state }: Member): string => [queue, step ?? '', state, batch].join('\0');

async function rowsIn(db: EntityManager, batches: readonly string[], { position }: Moment) {
  const values = [batches, String(position)];
  const same = await db.query<MembersThen[]>(SAME, values);
  const changed = await db.query<{ id: string }[]>(CHANGED, values);
  return { same, changed: changed.map(({ id }) => id) };
}
