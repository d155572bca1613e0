import type { TaskEvent, TaskStatus } from '../../../domain/task/task.events.js';
import type { Recorded } from '../../kernel/event-log.port.js';
import { stateMove } from '../../kernel/state-move.js';

/** A place in the log, and the time that counts as that of its event, in milliseconds. */
export interface Mark {
  readonly position: bigint;
  readonly time: number;
}

/** A time in which a task was open and did not run. */
export interface Span {
  readonly from: Mark;
  readonly until: Mark;
  /** The attempt that it waited for, from 1. */
  readonly attempt: number;
  /** Whether it still waits at the end. */
  readonly isOpen: boolean;
}

const WAITS: ReadonlySet<TaskStatus> = new Set<TaskStatus>(['prepared', 'pending', 'held', 'undecided']);

/**
 * When a task waited, up to the end of its history or, if it still waits then, to `end`. Times never go back, whatever the clock
 * did: an event counts as of the latest time before it. A claim counts as of the time that it names, as `waitedMs` does.
 */
export function spansOf(history: readonly Recorded<TaskEvent>[], end: Mark): readonly Span[] {
  const spans: Span[] = [];
  let [from, attempt, time]: [Mark | null, number, number] = [null, 0, 0];
  for (const recorded of history) {
    const { event, position } = recorded;
    time = Math.max(time, timeOf(recorded));
    const to = stateMove(event)?.to;
    if (to === undefined) continue;
    if (WAITS.has(to)) from ??= { position, time };
    else if (from !== null) {
      spans.push({ from, until: { position, time }, attempt: attempt + 1, isOpen: false });
      from = null;
    }
    if (event.type === 'TaskClaimed') ({ attempt } = event.data);
  }
  const until = { ...end, time: Math.max(end.time, time) };
  if (from !== null) spans.push({ from, until, attempt: attempt + 1, isOpen: true });
  return spans.filter((span) => span.until.time > span.from.time);
}

const timeOf = ({ event, recordedAt }: Recorded<TaskEvent>): number =>
  Date.parse(event.type === 'TaskClaimed' ? event.data.claimedAt : recordedAt);

/** What of the spans is later than the mark. A claim may name a time later than that of its event: its task waits until then. */
export const partsAfter = (mark: Mark, spans: readonly Span[]): readonly Span[] =>
  spans
    .filter(({ until }) => until.time > mark.time)
    .map((span) =>
      span.from.time < mark.time ? { ...span, from: { position: within(span, mark), time: mark.time } } : span,
    );

function within({ from, until, isOpen }: Span, { position }: Mark): bigint {
  if (position < from.position) return from.position;
  return isOpen || position < until.position ? position : until.position - 1n;
}

/**
 * The marks at which what is around the task may have changed within the span, its beginning first, with ascending times: of
 * several at one time, the last.
 */
export function cutsIn({ from, until, isOpen }: Span, changes: readonly Mark[]): readonly Mark[] {
  const within = changes
    .filter(
      ({ position }) => position > from.position && (isOpen ? position <= until.position : position < until.position),
    )
    .sort((one, other) => (one.position < other.position ? -1 : 1));
  const cuts: Mark[] = [from];
  for (const { position, time } of within) {
    const last = cuts.at(-1)!;
    const counted = Math.min(Math.max(time, last.time), until.time);
    if (counted === last.time) cuts.pop();
    cuts.push({ position, time: counted });
  }
  return cuts.filter(({ time }) => time < until.time);
}
