import type { RecordedEvent, ShownEvent } from '../../../application/kernel/event-store.port.js';
import type { LogSegment } from '../../../application/kernel/log-segment.js';
import type { TaskEvent, TaskStatus } from '../../../domain/task/task.events.js';
import { mayMove, type StateMove, stateMove } from '../../../projections/kernel/state-move.js';
import type { StateCounts } from '../../../projections/kernel/states-then.port.js';
import type { Base } from './snapshot.js';

/** Where a task has moved to. */
export interface Moved {
  readonly queue: string;
  readonly state: TaskStatus;
}

type Counts = { -readonly [S in keyof StateCounts]: StateCounts[S] };

const CATEGORY = 'task-';

/** What the events after a base have moved. */
export class Moves {
  /** By the ids of the tasks. */
  readonly tasks = new Map<string, Moved>();
  /** By how much the counts of each queue have changed. */
  readonly counts = new Map<string, StateCounts>();

  constructor(private readonly base: Base) {}

  /** The events of the segment up to a position. */
  add(segment: LogSegment, upTo: bigint): void {
    if (!mayMove(segment.type)) return;
    for (const { position, stream, event } of readableIn(segment))
      if (position <= upTo) this.move(position, stream, event as TaskEvent);
  }

  private move(position: bigint, stream: string, event: TaskEvent): void {
    const move = stateMove(event);
    if (move === null) return;
    const { queue } = event.data;
    if (position > this.base.countedAt) this.count(queue, move);
    if (position > this.base.position) this.tasks.set(stream.slice(CATEGORY.length), { queue, state: move.to });
  }

  private count(queue: string, { from, to }: StateMove): void {
    const counts: Counts = this.counts.get(queue) ?? {};
    counts[to] = (counts[to] ?? 0) + 1;
    if (from !== null) counts[from] = (counts[from] ?? 0) - 1;
    this.counts.set(queue, counts);
  }
}

/** Without those that are damaged. */
function readableIn(segment: LogSegment): readonly Pick<RecordedEvent, 'position' | 'stream' | 'event'>[] {
  try {
    return segment.events();
  } catch {
    return segment.shown().filter((event): event is ShownEvent & { unreadable: undefined } => !event.unreadable);
  }
}
