import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type ErrorClass, OPEN_STATUSES, type TaskEvent } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { type Moment, Past, TooMuchToFold } from '../kernel/past.port.js';
import { taskRow } from '../kernel/rows/task-row.js';
import { type StandingState, StatesThen } from '../kernel/states-then.port.js';
import type { Failures } from './queue-stats.queries.js';

/** Tasks whose rows have changed since the moment, so that their histories are read: the most of one answer, and so many at once. */
const MOST_FOLDED = 20_000;
const SLICE = 500;

/** What the figures of a queue need to know of an open or a failed task. */
interface Standing {
  readonly overdue: boolean;
  readonly startedAt: Date | null;
  readonly enqueuedAt: Date;
  readonly failedAt: Date | null;
  readonly errorClass: ErrorClass | null;
}

interface Row extends Standing {
  readonly id: string;
  /** Whether something was recorded of it after the moment. */
  readonly changed: boolean;
}

const ROWS = `select task_id as id, position > $2::bigint as changed, overdue, started_at as "startedAt", enqueued_at as "enqueuedAt",
    failed_at as "failedAt", error_class as "errorClass"
  from known_tasks where task_id = any ($1::uuid[])`;

/** A deadline is changed, and never taken away. */
const WITH_DEADLINE = `${ROWS} and deadline_at is not null`;

/** The tasks of a queue that somebody still had to deal with. */
@Injectable()
export class StandingThen {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
    private readonly states: StatesThen,
  ) {}

  /** Each throws `TooMuchToFold` and `HistoryNotReady`. */
  async longestRunMs(queue: string, moment: Moment): Promise<number | null> {
    const running = await this.among(queue, ['running'], moment);
    const begun = running.flatMap(({ startedAt }) => startedAt ?? []).map((at) => at.getTime());
    return begun.length === 0 ? null : Math.max(0, Date.parse(moment.at) - begun.reduce((a, b) => Math.min(a, b)));
  }

  async overdue(queue: string, moment: Moment): Promise<number> {
    const open = await this.among(queue, OPEN_STATUSES, moment, WITH_DEADLINE);
    return open.filter(({ overdue }) => overdue).length;
  }

  /** The failed tasks of each class, and how long they took. */
  async failures(queue: string, moment: Moment): Promise<readonly Failures[]> {
    const classes = new Map<ErrorClass, Failures>();
    for (const { errorClass, failedAt, startedAt, enqueuedAt } of await this.among(queue, ['failed'], moment)) {
      if (errorClass === null || failedAt === null) continue;
      const ms = Math.max(0, failedAt.getTime() - (startedAt ?? enqueuedAt).getTime());
      const { count, total, max } = classes.get(errorClass) ?? { count: 0, total: 0, max: 0 };
      classes.set(errorClass, { name: errorClass, count: count + 1, total: total + ms, max: Math.max(max, ms) });
    }
    return [...classes.values()];
  }

  private async among(
    queue: string,
    states: readonly StandingState[],
    moment: Moment,
    rows = ROWS,
  ): Promise<readonly Standing[]> {
    const ids = await Promise.all(states.map((state) => this.states.idsIn({ queue, state }, moment)));
    const found = await this.db.query<Row[]>(rows, [ids.flat(), String(moment.position)]);
    const changed = found.filter((row) => row.changed).map(({ id }) => id);
    if (changed.length > MOST_FOLDED) throw tooMany();
    return [...found.filter((row) => !row.changed), ...(await this.folded(changed, moment))];
  }

  private async folded(ids: readonly string[], { position }: Moment): Promise<readonly Standing[]> {
    const folded: Standing[] = [];
    for (let at = 0; at < ids.length; at += SLICE) {
      const some = ids.slice(at, at + SLICE);
      const histories = await this.past.historiesAt(some.map(taskStream), position);
      for (const [n, history] of histories.entries()) folded.push(...standingIn(some[n]!, history));
    }
    return folded;
  }
}

const tooMany = (): TooMuchToFold =>
  new TooMuchToFold(MOST_FOLDED, 'open or failed tasks of the queue', {
    instead: 'ask for its tally, or for the statistics of all queues',
  });

type History = Awaited<ReturnType<Past['historiesAt']>>[number];

function standingIn(id: string, history: History): readonly Standing[] {
  if (history.length === 0) return [];
  const events = history.map((one) => ({ ...one, event: one.event as TaskEvent, position: String(one.position) }));
  const row = taskRow(id, events);
  if (row === null) return [];
  const { overdue, started_at: startedAt, enqueued_at: enqueuedAt, failed_at: failedAt, error_class: errorClass } = row;
  const date = (time: string | null): Date | null => (time === null ? null : new Date(time));
  return [
    {
      overdue,
      startedAt: date(startedAt),
      enqueuedAt: new Date(enqueuedAt),
      failedAt: date(failedAt),
      errorClass: errorClass as ErrorClass | null,
    },
  ];
}
