import type { EventReads } from '../../application/kernel/event-store.port.js';
import { type LogSegment, partUpTo, sizeOf } from '../../application/kernel/log-segment.js';
import { isReserved } from '../../domain/queue/reserved.policy.js';
import type { TaskEvent, TaskStatus } from '../../domain/task/task.events.js';
import { type MovedTasks, MOST_MOVES_FOLDED, MovesBetween } from '../../projections/kernel/moves-between.port.js';
import { taskRowChange } from '../../projections/kernel/rows/task-row-rules.js';
import { stateMove } from '../../projections/kernel/state-move.js';
import { eachReadable, movesTasks } from './moving-segments.js';

/** Events that are read at once. Others have their turn between two such parts. */
const PART = 2_000;

/** Folds the public halves of the log. Remembers each task that moved, so a process does one at a time. */
export class FoldedMoves extends MovesBetween {
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly log: Pick<EventReads, 'readSegments'>,
    private readonly most = MOST_MOVES_FOLDED,
  ) {
    super();
  }

  of(from: bigint, to: bigint, queue?: string): Promise<readonly MovedTasks[] | null> {
    const moves = this.turn.then(() => this.fold(from, to, queue));
    this.turn = moves.catch(() => undefined);
    return moves;
  }

  private async fold(from: bigint, to: bigint, queue: string | undefined): Promise<readonly MovedTasks[] | null> {
    const moves = new Moves(queue);
    let events = 0;
    for (let reached = from; reached < to;) {
      const segments = await this.log.readSegments(reached, PART, false);
      if (segments.length === 0) break;
      const part = segments.map((segment) => partUpTo(segment, to));
      events += sizeOf(part);
      if (events > this.most) return null;
      for (const segment of part) moves.add(segment);
      reached = segments.at(-1)!.position;
    }
    return moves.tally();
  }
}

/** The way of a task, of which there is one for all tasks that went it. */
interface Way {
  readonly queue: string;
  readonly from: TaskStatus | null;
  readonly to: TaskStatus | null;
}

class Moves {
  private readonly ways = new Map<string, Way>();
  private readonly tasks = new Map<string, Way>();

  constructor(private readonly queue: string | undefined) {}

  add(segment: LogSegment): void {
    if (segment.size === 0 || !movesTasks(segment.type)) return;
    eachReadable(segment, (event, stream) => this.move(stream, event));
  }

  /** The most first, then by queue and states. */
  tally(): readonly MovedTasks[] {
    const counts = new Map<Way, number>();
    for (const way of this.tasks.values()) counts.set(way, (counts.get(way) ?? 0) + 1);
    return [...counts]
      .flatMap(([{ queue, from, to }, tasks]) => (to === null || from === to ? [] : [{ queue, from, to, tasks }]))
      .sort((one, other) => other.tasks - one.tasks || compare(nameOf(one), nameOf(other)));
  }

  private move(stream: string, event: TaskEvent): void {
    const { queue } = event.data;
    if (this.queue === undefined ? isReserved(queue) : queue !== this.queue) return;
    const before = this.tasks.get(stream) ?? this.way({ queue, from: stateBefore(event), to: stateBefore(event) });
    const { state } = taskRowChange(event);
    this.tasks.set(stream, state === null ? before : this.way({ ...before, to: state }));
  }

  private way(way: Way): Way {
    const name = nameOf(way);
    const known = this.ways.get(name);
    if (known) return known;
    this.ways.set(name, way);
    return way;
  }
}

const nameOf = ({ queue, from, to }: Way): string => [queue, from, to].join('\0');

const compare = (one: string, other: string): number => (one < other ? -1 : 1);

/**
 * The state of a task before an event, from the event alone; null if it was not there. One that says what follows an attempt
 * may come first if the range begins in the middle of an append: its task still runs then.
 */
function stateBefore(event: TaskEvent): TaskStatus | null {
  if (event.type === 'TaskRetryScheduled' || event.type === 'TaskDecisionRequested') return 'running';
  const { from = stateMove(event)?.from ?? null } = event.data as { readonly from?: TaskStatus };
  return from;
}
