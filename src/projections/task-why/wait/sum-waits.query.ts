import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { queueStream } from '../../../domain/queue/queue.stream.js';
import { taskStream } from '../../../domain/task/task.stream.js';
import type { TwoMoments } from '../../kernel/moments.js';
import { type Moment, NotThereThen, Past, TooMuchToFold } from '../../kernel/past.port.js';
import { streamAsOf } from '../../kernel/stream-as-of.js';
import { clipped, type Piece } from './intervals.js';
import { PastWaits, type Wait } from './past-waits.js';
import { QueueActivity } from './queue-activity.js';
import { ReadyTime } from './ready-time.js';
import type { Mark } from './spans.js';
import { type CauseShare, WaitTotals } from './wait-totals.js';

export interface QueueWaits {
  readonly queue: string;
  readonly from: number;
  readonly until: number;
  /** How many tasks waited in the range. */
  readonly tasks: number;
  readonly waitedMs: number;
  /** The longest first. They add up to `waitedMs`. */
  readonly sums: readonly CauseShare[];
  /** How many other tasks may have waited, but no event of theirs can be read. */
  readonly unreadable: number;
}

/** Where the waiting time of all tasks of a queue went between two moments. Throws `NotThereThen` and `TooMuchToFold`. */
export class SumWaits extends Query<QueueWaits> {
  constructor(
    readonly queue: string,
    readonly moments: TwoMoments,
  ) {
    super();
  }
}

/** Tasks of one answer, and those whose histories are read at once. */
const MOST_TASKS = 10_000;
const AT_ONCE = 500;

/** How long one answer may fold: tasks with keys and many changes around them cost more than others. */
const MOST_MS = 10_000;

/** Those that changed after the first position, or wait and have not changed since. */
const MAY_HAVE_WAITED = `select task_id as id from known_tasks where queue = $1 and seq <= $2
  and (position > $3 or state in ('prepared', 'pending', 'held', 'undecided')) order by seq limit ${MOST_TASKS} + 1`;

@QueryHandler(SumWaits)
export class SumWaitsHandler implements IQueryHandler<SumWaits> {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
    private readonly waits: PastWaits,
    private readonly activity: QueueActivity,
  ) {}

  async execute(asked: SumWaits): Promise<QueueWaits> {
    const { queue, moments } = asked;
    await streamAsOf(this.past, queueStream(queue), moments.until);
    const ids = await this.tasksIn(asked);
    const [from, until] = [markOf(moments.since), markOf(moments.until)];
    const range = { from: from.time, until: until.time };
    const known = await this.activity.of(queue, { from, until }, range);
    const [totals, ready] = [new WaitTotals(), new ReadyTime(range, known)];
    const end = performance.now() + MOST_MS;
    for (let at = 0; at < ids.length; at += AT_ONCE)
      await this.addAll(ids.slice(at, at + AT_ONCE), asked, { totals, ready, end });
    return { queue, ...range, ...totals.shown() };
  }

  private async addAll(ids: readonly string[], asked: SumWaits, { totals, ready, end }: Sums): Promise<void> {
    const { since, until } = asked.moments;
    const past = this.waits.upTo(until);
    await past.historiesAt(ids.map(taskStream), until.position);
    for (const id of ids) {
      const wait = await this.waitOf(id, until, { past, since: markOf(since) });
      if (wait === null) totals.addUnreadable();
      else totals.add(clipped(explained(id, wait, ready), Date.parse(since.at), Date.parse(until.at)));
      if (performance.now() > end) throw tooLong(asked, totals.tasks, `tasks within ${MOST_MS / 1_000} seconds`);
    }
  }

  /** Null if nothing of the task can be read. */
  private async waitOf(id: string, moment: Moment, look: { past: Past; since: Mark }): Promise<Wait | null> {
    try {
      return await this.waits.of(id, moment, look).catch((error: unknown) => {
        if (error instanceof TooMuchToFold) return this.waits.unexplained(id, moment, look);
        throw error;
      });
    } catch (error) {
      if (error instanceof NotThereThen) return null;
      throw error;
    }
  }

  private async tasksIn(asked: SumWaits): Promise<readonly string[]> {
    const { since, until } = asked.moments;
    const parameters = [asked.queue, String(until.position), String(since.position)];
    const found = await this.db.query<{ id: string }[]>(MAY_HAVE_WAITED, parameters);
    if (found.length > MOST_TASKS) throw tooLong(asked, MOST_TASKS, 'tasks');
    return found.map(({ id }) => id);
  }
}

const markOf = ({ position, at }: Moment): Mark => ({ position, time: Date.parse(at) });

interface Sums {
  readonly totals: WaitTotals;
  readonly ready: ReadyTime;
  /** When `performance.now` says that it took too long. */
  readonly end: number;
}

const explained = (id: string, { pieces }: Wait, ready: ReadyTime): readonly Piece[] =>
  pieces.flatMap(({ policy, ...piece }) => (policy === null ? [piece] : ready.of(id, piece, policy)));

function tooLong({ moments: { since, until } }: SumWaits, most: number, what: string): TooMuchToFold {
  const middle = new Date((Date.parse(since.at) + Date.parse(until.at)) / 2).toISOString();
  return new TooMuchToFold(most, what, {
    that: 'that may have waited in the range',
    instead: `ask for a shorter range, such as from ${middle}`,
  });
}
