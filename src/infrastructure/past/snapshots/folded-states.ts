import type { EventReads } from '../../../application/kernel/event-store.port.js';
import { TASK_STATUSES } from '../../../domain/task/task.events.js';
import { HistoryNotReady, type Moment } from '../../../projections/kernel/past.port.js';
import { type StandingTasks, type StateCounts, StatesThen } from '../../../projections/kernel/states-then.port.js';
import { type Base, eventsBetween, eventsUntilNext, type LogScale, MOST_FOLDED, startOf } from './snapshot.js';
import type { Snapshots } from './snapshots.js';
import { Tails } from './tails.js';

/** The last snapshot at or before the moment, and what the log has moved since. */
export class FoldedStates extends StatesThen {
  private readonly tails: Tails;

  constructor(
    private readonly snapshots: Snapshots,
    log: Pick<EventReads, 'readSegments'>,
    private readonly scale: LogScale,
  ) {
    super();
    this.tails = new Tails(log);
  }

  async countsOf(queue: string, moment: Moment): Promise<StateCounts> {
    const base = await this.baseOf(moment);
    const [before, moves] = await Promise.all([
      this.snapshots.countsOf(base, queue),
      this.tails.after(base, moment.position),
    ]);
    return sumOf(before, moves.countsOf(queue));
  }

  async idsIn({ queue, state }: StandingTasks, moment: Moment): Promise<readonly string[]> {
    const base = await this.baseOf(moment);
    const [sets, { tasks }] = await Promise.all([
      this.snapshots.setsOf(base, { queue, state }),
      this.tails.after(base, moment.position),
    ]);
    const ids = sets.flatMap((set) => set.ids.filter((id) => !tasks.has(id)));
    for (const [id, moved] of tasks)
      if (moved.state === state && (queue === undefined || moved.queue === queue)) ids.push(id);
    return ids.sort();
  }

  private async baseOf({ position }: Moment): Promise<Base> {
    const base = await this.snapshots.before(position);
    if (eventsBetween(this.scale, startOf(base), position) > MOST_FOLDED * eventsUntilNext(this.scale, base))
      throw new HistoryNotReady(base.position, position, 'the log into snapshots');
    return base;
  }
}

export const sumOf = (one: StateCounts, other: StateCounts): StateCounts =>
  Object.fromEntries(TASK_STATUSES.map((state) => [state, (one[state] ?? 0) + (other[state] ?? 0)]));
