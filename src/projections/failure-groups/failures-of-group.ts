import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { FAILURE_TYPES, type FailureEvent } from '../../domain/task/failures.events.js';
import { isJob } from '../../domain/task/jobs.events.js';
import { taskIdOf } from '../../domain/task/task.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { momentAt } from '../kernel/moments.js';
import { HistoryNotReady, Past, TooMuchToFold } from '../kernel/past.port.js';
import type { GroupRow } from './failure-group-rows.js';
import type { FailureExample, FailureGroupView, FailuresAt, Share } from './failure-group-view.js';
import { MOST_EXAMPLES, MOST_HOURS, MOST_MINUTES, MOST_SHARES, MOST_TASKS } from './failure-group-view.js';
import { groupedErrorIn } from '../kernel/grouped-error.js';
import { Grouping } from '../kernel/grouping.js';

/** The failures that one answer reads, and how long it looks for them. */
const READ = { most: 50_000, withinMs: 10_000 };
/** The same for the minutes of a group, which pages ask for again and again. */
const READ_FOR_MINUTES = { most: 5_000, withinMs: 1_000 };

type Figures = Pick<
  FailureGroupView,
  'hours' | 'minutes' | 'examples' | 'kinds' | 'workers' | 'workerCount' | 'builds'
>;

interface Asked {
  readonly row: GroupRow;
  readonly queue: string | undefined;
  readonly upTo: bigint;
}

/** Where a group of failures was seen up to a position, as the log tells. */
@Injectable()
export class FailuresOfGroup {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
    private readonly grouping: Grouping,
  ) {}

  /** Throws `TooMuchToFold` and `HistoryNotReady`. */
  async figures({ row, queue, upTo }: Asked): Promise<Figures> {
    const failures = await this.since(row.firstSeenAt, upTo);
    const groups = failures.map((one) => this.groupOf(one));
    const own = failures.filter(
      ({ event }, at) => groups[at] === row.group && (queue === undefined || event.data.queue === queue),
    );
    const tasks = tasksIn(failures, groups, row.group);
    const [newest, workers] = [await this.known(tasks, queue), workersIn(own)];
    const counts = [...workers.values()];
    return {
      hours: countedBy(HOUR, own).slice(0, MOST_HOURS),
      minutes: isShort(row) ? countedBy(MINUTE, own) : null,
      examples: newest.slice(0, MOST_EXAMPLES),
      kinds: largest(newest.map(({ kind }) => ({ name: kind, count: 1 }))),
      workers: largest(counts.map(({ worker, attempts }) => ({ name: worker, count: attempts }))),
      workerCount: new Set(counts.map(({ worker }) => worker)).size,
      builds: await this.buildsOf(counts),
    };
  }

  /** Null if the group was seen for too long, or too much failed meanwhile to be looked through for each answer. */
  async minutes(row: GroupRow, queue: string | undefined): Promise<FailureGroupView['minutes']> {
    if (!isShort(row)) return null;
    try {
      const { position: upTo } = await momentAt(this.past, row.lastSeenAt);
      const { events, isWhole } = await this.found(row.firstSeenAt, upTo, READ_FOR_MINUTES);
      return isWhole ? countedBy(MINUTE, this.ownOf({ row, queue }, events)) : null;
    } catch (error) {
      if (error instanceof HistoryNotReady) return null;
      throw error;
    }
  }

  /** The first failure of a group; null if there is none, or it cannot be found. */
  async firstOf(group: string): Promise<Recorded | null> {
    const [known] = await this.db.query<{ at: Date }[]>(FIRST_SEEN, [group]);
    if (!known) return null;
    const { at: firstSeenAt } = known;
    const failures = await this.since(firstSeenAt, (await momentAt(this.past, firstSeenAt)).position);
    return failures.find((one) => this.groupOf(one) === group) ?? null;
  }

  private async since(time: Date, upTo: bigint): Promise<readonly Recorded<FailureEvent>[]> {
    const { events, isWhole } = await this.found(time, upTo, READ);
    if (!isWhole)
      throw new TooMuchToFold(READ.most, 'failures', {
        that: `since the group began, within ${READ.withinMs / 1_000} seconds`,
      });
    return events;
  }

  private async found(time: Date, upTo: bigint, read: typeof READ) {
    const { position: after } = await momentAt(this.past, new Date(time.getTime() - 1));
    const { events, isWhole } = await this.past.eventsOf({ types: FAILURE_TYPES, after, upTo, ...read });
    return { events: events as readonly Recorded<FailureEvent>[], isWhole };
  }

  private ownOf({ row, queue }: Omit<Asked, 'upTo'>, failures: readonly Recorded<FailureEvent>[]) {
    return failures.filter(
      (one) => (queue === undefined || one.event.data.queue === queue) && this.groupOf(one) === row.group,
    );
  }

  private groupOf({ event }: Recorded<FailureEvent>): string | null {
    const error = groupedErrorIn(event);
    return error && this.grouping.groupOf(error);
  }

  private async known(tasks: readonly string[], queue: string | undefined): Promise<readonly FailureExample[]> {
    return this.db.query<FailureExample[]>(KNOWN, [tasks, queue ?? null]);
  }

  private async buildsOf(workers: readonly WorkerThen[]): Promise<readonly string[]> {
    const column = (name: keyof WorkerThen): readonly unknown[] => workers.map((one) => one[name]);
    const columns = (['queue', 'worker', 'first', 'last'] as const).map(column);
    const rows = await this.db.query<{ build: string }[]>(BUILDS, columns);
    return rows.map(({ build }) => build);
  }
}

const FIRST_SEEN = `select first_at as at from failure_groups where group_id = $1 and last_at is not null`;

const KNOWN = `select task_id as task, queue, kind from known_tasks where task_id = any ($1::uuid[]) and ($2::text is null or queue = $2)
  order by task_id desc limit ${MOST_TASKS}`;

/** As in the view of now: which builds there were then follows from when each began. */
const BUILDS = `
  select b.build from unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[]) w(queue, worker, first_at, last_at)
  join worker_builds b on b.queue = w.queue and b.worker = w.worker and b.first_at <= w.last_at
    and coalesce((select min(n.first_at) from worker_builds n
      where n.queue = b.queue and n.worker = b.worker and n.first_at > b.first_at), 'infinity') > w.first_at
  group by b.build order by max(b.first_at) desc limit ${MOST_SHARES}`;

/** The tasks of which the last failure was in the group, the newest first. `groups`: those of the failures. */
function tasksIn(
  failures: readonly Recorded<FailureEvent>[],
  groups: readonly (string | null)[],
  group: string,
): readonly string[] {
  const last = new Map<string, string>();
  for (const [at, of] of groups.entries()) if (of !== null) last.set(taskIdOf(failures[at]!.stream), of);
  return [...last]
    .flatMap(([task, of]) => (of === group ? task : []))
    .sort()
    .reverse();
}

/** Whether it is told by the minute. */
const isShort = ({ firstSeenAt, lastSeenAt, attempts, tasks }: GroupRow): boolean =>
  lastSeenAt.getTime() - firstSeenAt.getTime() <= MOST_MINUTES * MINUTE && attempts + tasks <= READ_FOR_MINUTES.most;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The newest interval first. */
function countedBy(lengthMs: number, own: readonly Recorded<FailureEvent>[]): readonly FailuresAt[] {
  const found = new Map<string, { failedTasks: number; failedAttempts: number }>();
  for (const { event, recordedAt } of own) {
    const at = new Date(Math.floor(Date.parse(recordedAt) / lengthMs) * lengthMs).toISOString();
    const counts = found.get(at) ?? { failedTasks: 0, failedAttempts: 0 };
    if (event.type === 'TaskAttemptFailed') counts.failedAttempts++;
    else counts.failedTasks++;
    found.set(at, counts);
  }
  const sorted = [...found].sort(([one], [other]) => (one < other ? 1 : -1));
  return sorted.map(([at, counts]) => ({ at, ...counts }));
}

interface WorkerThen {
  readonly queue: string;
  readonly worker: string;
  readonly attempts: number;
  readonly first: string;
  readonly last: string;
}

/** By queue and name. */
function workersIn(own: readonly Recorded<FailureEvent>[]): ReadonlyMap<string, WorkerThen> {
  const workers = new Map<string, WorkerThen>();
  for (const { event, recordedAt: at } of own) {
    if (!('worker' in event.data) || event.data.worker === undefined || isJob(event.data.worker)) continue;
    const { queue, worker } = event.data;
    const { attempts, first, last } = workers.get(`${queue}\0${worker}`) ?? { attempts: 0, first: at, last: at };
    const seen = { attempts: attempts + 1, first: first < at ? first : at, last: last > at ? last : at };
    workers.set(`${queue}\0${worker}`, { queue, worker, ...seen });
  }
  return workers;
}

/** Those with the same name together, the largest first. */
function largest(shares: readonly Share[]): readonly Share[] {
  const sums = new Map<string, number>();
  for (const { name, count } of shares) sums.set(name, (sums.get(name) ?? 0) + count);
  const sorted = [...sums].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  return sorted.slice(0, MOST_SHARES).map(([name, count]) => ({ name, count }));
}
