import type { AppendItem, AppendResult } from '../../../application/kernel/event-store.port.js';
import { idOf } from '../../../domain/task/prerequisites.js';
import type { TaskEvent } from '../../../domain/task/task.events.js';
import { taskStream } from '../../../domain/task/task.stream.js';
import type { EventStoreDbLog } from '../log/eventstoredb-log.js';
import type { IndexProgress } from './index-progress.js';
import { INDEX_MS, ReservationRetry } from './reservation-retry.js';
import type { Reservation, Reservations } from './reservations.js';
import { isStored, lastOf } from './stored-results.js';

/** Few enough to reserve in one statement under the log lock, and to store one after the other before the deadline. */
const PART = 200;
/** Each try sends what is left of a part, so few of them follow the index as it moves. */
const TRIES = 10;

type Answers = ReadonlyMap<AppendItem, Reservation>;
type Results = Map<string, AppendResult>;
type Store = (item: AppendItem, at: string) => Promise<AppendResult>;

/**
 * Appends of new tasks that wait for one another. Those of a part are reserved in one statement, in order, and then
 * stored level by level, so that in the log each task follows those that it waits for.
 */
export class ChainedAppends {
  constructor(
    private readonly log: EventStoreDbLog,
    private readonly reservations: Reservations,
    private readonly index: IndexProgress,
    private readonly store: Store,
  ) {}

  /** Takes each item after those that it waits for. Returns the results by the items' streams. */
  async append(ordered: readonly AppendItem[]): Promise<ReadonlyMap<string, AppendResult>> {
    const results: Results = new Map();
    for (let from = 0; from < ordered.length; from += PART) {
      // Otherwise the next part would be tried again until the index knows this one.
      if (from > 0) await this.index.reached(lastOf([...results.values()]), INDEX_MS);
      await this.appendPart(ordered.slice(from, from + PART), results);
    }
    return results;
  }

  private async appendPart(part: readonly AppendItem[], results: Results): Promise<void> {
    const reservationRetry = new ReservationRetry(this.log, this.index, TRIES);
    for (let open = part; ;) {
      const answers = await this.reservations.reserveInOrder(open);
      await this.lookUpMoved(answers, results);
      await this.storeReserved(answers, results);
      open = open.filter(({ stream }) => !results.has(stream));
      if (open.length === 0) return;
      const isBusy = open.some((item) => answers.get(item)!.kind === 'busy');
      const next = await reservationRetry.after(isBusy ? 'busy' : 'refused');
      if (next === 'believe') return this.refuse(open, answers, results);
      if (next === 'give up') return this.giveUp(open, results);
    }
  }

  /** The stream tells whether the place of a moved item was taken by the same append, sent before. */
  private async lookUpMoved(answers: Answers, results: Results): Promise<void> {
    const moved = [...answers].flatMap(([item, { kind }]) => (kind === 'moved' ? [item] : []));
    const found = await Promise.all(moved.map((item) => this.log.seenIn(item)));
    moved.forEach((item, at) => results.set(item.stream, found[at] ?? asExpected(item)));
  }

  /** What waits for an item that is not stored is not stored either. */
  private async storeReserved(answers: Answers, results: Results): Promise<void> {
    const reserved = [...answers].flatMap(([item, { kind }]) => (kind === 'reserved' ? [item] : []));
    const missing = new Set(reserved.map(({ stream }) => stream));
    for (const [stream, { kind }] of results) if (kind === 'conflict') missing.add(stream);
    const untried = new Set(reserved);
    try {
      for (const level of levelsIn(reserved)) {
        const ready = level.filter((item) => !needsIn(item).some((need) => missing.has(need)));
        // The outcome may stay unknown, and then the cleaner ends the reservation.
        for (const item of ready) untried.delete(item);
        const stored = await this.storeEach(ready, answers);
        stored.forEach((result, at) => results.set(ready[at]!.stream, result));
        stored.forEach((result, at) => isStored(result) && missing.delete(ready[at]!.stream));
      }
    } finally {
      if (untried.size > 0) await this.reservations.release([...untried].map(({ events }) => events[0]!.id));
    }
    for (const item of untried) if (isDisturbed(item, results)) results.set(item.stream, asExpected(item));
  }

  private async storeEach(level: readonly AppendItem[], answers: Answers): Promise<readonly AppendResult[]> {
    const outcomes = await Promise.allSettled(
      level.map((item) => this.store(item, (answers.get(item) as { readonly at: string }).at)),
    );
    return outcomes.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  }

  private async refuse(open: readonly AppendItem[], answers: Answers, results: Results): Promise<void> {
    const found = await Promise.all(open.map((item) => this.log.seenIn(item)));
    open.forEach((item, at) => {
      const refusal = isDisturbed(item, results) ? asExpected(item) : (answers.get(item) as AppendResult);
      results.set(item.stream, found[at] ?? refusal);
    });
  }

  private async giveUp(open: readonly AppendItem[], results: Results): Promise<void> {
    await this.reservations.release(open.map(({ events }) => events[0]!.id));
    for (const item of open) results.set(item.stream, asExpected(item));
  }
}

/** The appends by levels: each is in a later one than the earlier appends of new tasks that its task waits for. */
export function levelsIn(items: readonly AppendItem[]): readonly (readonly AppendItem[])[] {
  if (items.every((item) => needsIn(item).length === 0)) return [items];
  const levels: AppendItem[][] = [];
  const levelOf = new Map<string, number>();
  for (const item of items) {
    const level = Math.max(0, ...needsIn(item).map((need) => (levelOf.get(need) ?? -1) + 1));
    levelOf.set(item.stream, level);
    (levels[level] ??= []).push(item);
  }
  return levels;
}

/** The streams of the tasks that a new task waits for. It is new, too, behind the fence of an attempt that came too late. */
function needsIn({ events }: AppendItem): readonly string[] {
  const { event } = events[0] as { readonly event: TaskEvent };
  return event.data && 'after' in event.data ? event.data.after!.map((one) => taskStream(idOf(one))) : [];
}

/** Whether the item waits for one whose stream has moved, so that it is decided again. */
const isDisturbed = (item: AppendItem, results: Results): boolean =>
  needsIn(item).some((need) => results.get(need)?.kind === 'conflict');

const asExpected = ({ expected }: AppendItem): AppendResult => ({ kind: 'conflict', actual: expected });
