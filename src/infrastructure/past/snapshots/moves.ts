import type { EventReads } from '../../../application/kernel/event-store.port.js';
import { type LogSegment, partUpTo } from '../../../application/kernel/log-segment.js';
import type { TaskEvent, TaskStatus } from '../../../domain/task/task.events.js';
import { type StateMove, stateMove } from '../../../projections/kernel/state-move.js';
import { isStanding, type StateCounts } from '../../../projections/kernel/states-then.port.js';
import { taskRowChange } from '../../../projections/kernel/rows/task-row-rules.js';
import { eachReadable, movesTasks } from '../moving-segments.js';
import { type Base, startOf } from './snapshot.js';

/** Where a task has moved to. */
export interface Moved {
  readonly queue: string;
  readonly state: TaskStatus;
  /** Whether it was not there at the base. */
  readonly isNew: boolean;
}

type Counts = { -readonly [S in keyof StateCounts]: StateCounts[S] };

const CATEGORY = 'task-';

/** What the events after a base have moved. */
export class Moves {
  /** By the ids of the tasks, without those that came and ended since. */
  readonly tasks = new Map<string, Moved>();
  /** By how much the counts of each queue have changed. Once an attempt has failed, its task counts as pending, before the event of the same append that says what follows. */
  readonly counts = new Map<string, StateCounts>();
  /** The tasks of which that event lacks, with their queues. They still run. */
  private readonly interim = new Map<string, string>();

  private end: bigint;

  constructor(private readonly base: Base) {
    this.end = base.position;
  }

  /** The position of the last event that was looked at. */
  get reached(): bigint {
    return this.end;
  }

  /** Whether an append goes on that has ended an attempt: a fold cannot begin there. */
  get isAmidAppend(): boolean {
    return this.interim.size > 0;
  }

  isAfter({ position }: Base): boolean {
    return this.end > position;
  }

  /** By how much the counts of a queue have changed, if nothing follows. */
  countsOf(queue: string): StateCounts {
    const counts = { ...this.counts.get(queue) };
    const running = [...this.interim.values()].filter((one) => one === queue).length;
    if (running === 0) return counts;
    return { ...counts, pending: (counts.pending ?? 0) - running, running: (counts.running ?? 0) + running };
  }

  /** The events of the segment, up to a position if one is given. */
  add(given: LogSegment, upTo: bigint | null): void {
    const segment = upTo === null ? given : partUpTo(given, upTo);
    if (segment.size === 0) return;
    if (segment.position > this.end) this.end = segment.position;
    if (!movesTasks(segment.type)) return;
    const [counted, placed] = [segment.countUpTo(this.base.countedAt), segment.countUpTo(this.base.position)];
    eachReadable(segment, (event, stream, at) =>
      this.move(stream.slice(CATEGORY.length), event, at >= counted, at >= placed),
    );
  }

  private move(id: string, event: TaskEvent, counts: boolean, places: boolean): void {
    const [move, { state }] = [stateMove(event), taskRowChange(event)];
    const { queue } = event.data;
    if (move !== null && counts) this.count(queue, move);
    if (state !== null && places) this.place(id, { queue, state, isNew: move?.from === null });
    if (state !== null) this.interim.delete(id);
    else if (move !== null) this.interim.set(id, queue);
  }

  /** One that came and went since the base is forgotten: most do, and nothing has it. */
  private place(id: string, { queue, state, isNew }: Moved): void {
    const wasNew = isNew || this.tasks.get(id)?.isNew === true;
    if (wasNew && !isStanding(state)) this.tasks.delete(id);
    else this.tasks.set(id, { queue, state, isNew: wasNew });
  }

  private count(queue: string, { from, to }: StateMove): void {
    const counts: Counts = this.counts.get(queue) ?? {};
    counts[to] = (counts[to] ?? 0) + 1;
    if (from !== null) counts[from] = (counts[from] ?? 0) - 1;
    this.counts.set(queue, counts);
  }
}

/** Events that are read at once. Others have their turn between two such parts: folding one takes some 3 ms. */
const PART = 2_000;

/** What the events after the base moved, up to a position. */
export async function movesAfter(log: Pick<EventReads, 'readSegments'>, base: Base, upTo: bigint): Promise<Moves> {
  const moves = new Moves(base);
  for await (const segments of partsOf(log, startOf(base)))
    for (const segment of segments) {
      moves.add(segment, upTo);
      if (segment.position >= upTo) return moves;
    }
  return moves;
}

/** The same up to the position of an event, from which any store can be read, and on to the end of its append, if what an attempt led to lacks. */
export async function movesAround(log: Pick<EventReads, 'readSegments'>, base: Base, upTo: bigint): Promise<Moves> {
  const moves = new Moves(base);
  for await (const segments of partsOf(log, startOf(base)))
    for (const segment of segments) {
      const cut = segment.countUpTo(upTo);
      if (cut > 0) moves.add(segment.slice(0, cut), null);
      if (cut < segment.size && moves.isAfter(base) && !moves.isAmidAppend) return moves;
      if (cut < segment.size) moves.add(segment.slice(cut), null);
    }
  return moves;
}

/** The next part is read while its reader has this one. */
export async function* partsOf(
  log: Pick<EventReads, 'readSegments'>,
  after: bigint,
  needsPrivate = false,
): AsyncGenerator<readonly LogSegment[]> {
  for (let next = log.readSegments(after, PART, needsPrivate); ;) {
    const segments = await next;
    if (segments.length === 0) return;
    next = log.readSegments(segments.at(-1)!.position, PART, needsPrivate);
    // Its errors are handled when it is awaited, which does not happen if its reader has enough or fails.
    next.catch(() => undefined);
    yield segments;
  }
}
