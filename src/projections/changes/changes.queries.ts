import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { TASK_STATUSES, type TaskEvent, type TaskStatus } from '../../domain/task/task.events.js';
import { isReserved } from '../../domain/queue/reserved.policy.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import type { TwoMoments } from '../kernel/moments.js';
import { MOST_PER_PAGE } from '../kernel/page.js';
import { type MovedTasks, MOST_MOVES_FOLDED, MovesBetween } from '../kernel/moves-between.port.js';
import { type Moment, Past, TooMuchToFold } from '../kernel/past.port.js';
import { type StateCounts, StatesThen } from '../kernel/states-then.port.js';
import { type Between, type TaskChange, taskChange } from './task-change.js';

export interface ChangesFilter {
  /** Undefined: of all queues but those of the service itself. */
  readonly queue?: string;
  readonly batch?: string;
}

export interface ChangesPage {
  /** In the order in which the tasks first had an event after the first moment. */
  readonly items: readonly TaskChange[];
  /** The position up to which events were looked at; null if that were all. */
  readonly reached: bigint | null;
}

/**
 * The tasks whose folds at two positions differ. A page looks at a bounded part of the log, so it may have fewer than `limit`, even
 * none, and others follow. `after`: the position up to which earlier pages looked.
 */
export class ListChanges extends Query<ChangesPage> {
  constructor(
    readonly between: Between,
    readonly filter: ChangesFilter,
    readonly after: bigint,
    readonly limit: number,
  ) {
    super();
  }
}

/** Events that are looked at together, and the most of a page. */
const SLICE = 500;
const MOST_LOOKED_AT = 10_000;
/** A part of the log without a matching event is read for so long. */
const WITHIN_MS = 1_000;

/** A change, with the position of the event by which its task is found. */
interface Found {
  readonly change: TaskChange;
  readonly position: bigint;
}

@QueryHandler(ListChanges)
export class ListChangesHandler implements IQueryHandler<ListChanges> {
  constructor(private readonly past: Past) {}

  async execute({ between, filter, after, limit }: ListChanges): Promise<ChangesPage> {
    const size = Math.min(limit, MOST_PER_PAGE);
    const found: Found[] = [];
    let reached = after;
    for (let looked = 0; looked < MOST_LOOKED_AT && reached < between.to; looked += SLICE) {
      const slice = await this.past.eventsOf({
        ...(filter.queue !== undefined && { queue: filter.queue }),
        categories: ['task'],
        after: reached,
        upTo: between.to,
        most: SLICE,
        withinMs: WITHIN_MS,
      });
      found.push(...(await this.changesAmong(slice.events, reached, between, filter)));
      reached = slice.reached;
      if (found.length > size) return { items: changesOf(found.slice(0, size)), reached: found[size - 1]!.position };
      if (slice.events.length === 0 && !slice.isWhole) break;
    }
    return { items: changesOf(found), reached: reached < between.to ? reached : null };
  }

  /** Of the tasks whose first event after the first moment is one of these. */
  private async changesAmong(
    events: readonly Recorded[],
    after: bigint,
    between: Between,
    filter: ChangesFilter,
  ): Promise<readonly Found[]> {
    const ids = [...new Set(events.map(({ stream }) => stream.slice(CATEGORY.length)))];
    const histories = await this.past.historiesAt(ids.map(taskStream), between.to);
    return ids.flatMap((id, at) => {
      const history = histories[at] as readonly Recorded<TaskEvent>[];
      const first = history.find(({ position }) => position > between.from);
      if (!first || first.position <= after) return [];
      const change = taskChange(id, history, between);
      return change && isMeant(change, filter) ? [{ change, position: first.position }] : [];
    });
  }
}

const CATEGORY = 'task-';

const changesOf = (found: readonly Found[]): readonly TaskChange[] => found.map(({ change }) => change);

const isMeant = ({ queue, batch }: TaskChange, filter: ChangesFilter): boolean =>
  (filter.queue !== undefined || !isReserved(queue)) && (filter.batch === undefined || batch === filter.batch);

/** The tasks of a queue in a state, at two moments. */
export interface StateThenAndLater {
  readonly state: TaskStatus;
  readonly before: number;
  readonly after: number;
}

export interface ChangesSummary {
  /** How many tasks went from one state to another, the most first; null if the moments are too far apart. */
  readonly moves: readonly MovedTasks[] | null;
  /** Of each state, if the summary is of one queue; null otherwise. */
  readonly states: readonly StateThenAndLater[] | null;
}

/** Counts what changed between two moments. Throws `TooMuchToFold` and `HistoryNotReady`. */
export class SumChanges extends Query<ChangesSummary> {
  constructor(
    readonly moments: TwoMoments,
    readonly queue: string | undefined,
  ) {
    super();
  }
}

@QueryHandler(SumChanges)
export class SumChangesHandler implements IQueryHandler<SumChanges> {
  constructor(
    private readonly moves: MovesBetween,
    private readonly states: StatesThen,
  ) {}

  async execute({ moments: { since, until }, queue }: SumChanges): Promise<ChangesSummary> {
    const moves = await this.moves.of(since.position, until.position, queue);
    if (queue === undefined) {
      if (moves === null) throw new TooMuchToFold(MOST_MOVES_FOLDED, 'events', TOO_FAR);
      return { moves, states: null };
    }
    const [before, after] = await Promise.all([this.countsAt(queue, since), this.countsAt(queue, until)]);
    const counted = (state: TaskStatus) => ({ state, before: before[state] ?? 0, after: after[state] ?? 0 });
    return { moves, states: TASK_STATUSES.map(counted) };
  }

  private countsAt(queue: string, moment: Moment): Promise<StateCounts> {
    return moment.position === 0n ? Promise.resolve({}) : this.states.countsOf(queue, moment);
  }
}

const TOO_FAR = { that: 'between two moments', instead: 'ask for a shorter range, or for one queue' };
