import { isCounted, type QueuePolicy } from '../../../domain/queue/queue.policy.js';
import type { TaskEvent } from '../../../domain/task/task.events.js';
import { taskIdOf } from '../../../domain/task/task.stream.js';
import { PRESENT_MS } from '../../kernel/attendance.js';
import type { Recorded } from '../../kernel/event-log.port.js';
import { stateMove } from '../../kernel/state-move.js';
import type { Absence } from '../past-attendance.js';
import { type Reason, type RunningTask, slotReasons } from '../why.js';
import { type Piece, pieceOf } from './intervals.js';

/** A task began to run, or does not run from here on. */
interface Step {
  readonly time: number;
  readonly taskId: string;
  readonly claim: RunningTask | null;
}

/** What the workers of a queue did, from one time up to another. Outside of that nothing is known. */
export interface Activity {
  readonly from: number;
  readonly until: number;
  /** What ran at the beginning. */
  readonly running: readonly RunningTask[];
  readonly steps: readonly Step[];
  /** When nobody asked, as far as that was recorded, in the order of time. */
  readonly absences: readonly Absence[];
}

export interface Range {
  readonly from: number;
  readonly until: number;
}

/** Times never go back, whatever the clock did. */
export function activityOf(
  running: readonly RunningTask[],
  events: readonly Recorded<TaskEvent>[],
  { from, until }: Range,
  absences: readonly Absence[] = [],
): Activity {
  const steps: Step[] = [];
  for (const { stream, event, recordedAt } of events) {
    if (stateMove(event) === null) continue;
    const taskId = taskIdOf(stream);
    const time = Math.max(steps.at(-1)?.time ?? from, Date.parse(recordedAt));
    const { worker, server } = event.type === 'TaskClaimed' ? event.data : { worker: null, server: '' };
    steps.push({ time, taskId, claim: worker === null ? null : { taskId, worker, server } });
  }
  return { from, until, running, steps, absences };
}

/** Why a task that nothing of its own kept was not claimed in the range. */
export function readyPieces(taskId: string, { from, until }: Range, policy: QueuePolicy, known: Activity) {
  const begun = Math.min(Math.max(from, known.from), until);
  const ended = Math.max(Math.min(known.until, until), begun);
  return [
    ...unknown(from, begun),
    ...knownPieces(taskId, { from: begun, until: ended }, policy, known),
    ...unknown(ended, until),
  ];
}

const unknown = (from: number, until: number): readonly Piece[] => (from < until ? [pieceOf(from, until, [])] : []);

function knownPieces(taskId: string, { from, until }: Range, policy: QueuePolicy, known: Activity): readonly Piece[] {
  const pieces: Piece[] = [];
  const running = new Map(known.running.map((task) => [task.taskId, task]));
  let [time, lastClaim, claims] = [from, -Infinity, 0];
  const upTo = (end: number): void => {
    if (end <= time) return;
    const others = { running, but: taskId, presentUntil: lastClaim + PRESENT_MS };
    pieces.push(...piecesOf({ from: time, until: end }, others, policy, claims));
    [time, claims] = [end, 0];
  };
  for (const step of known.steps) {
    if (step.time >= until) break;
    upTo(step.time);
    if (step.claim === null) running.delete(step.taskId);
    else running.set(step.taskId, step.claim);
    if (step.claim === null || step.taskId === taskId) continue;
    lastClaim = step.time;
    if (step.time >= from) claims++;
  }
  upTo(until);
  return pieces.flatMap((piece) => (piece.because === 'worker' ? splitByAbsence(piece, known.absences) : [piece]));
}

/** Splits a part in which no worker got a task by what was recorded of workers. */
function splitByAbsence({ from, until }: Piece, absences: readonly Absence[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let time = from;
  const upTo = (end: number, reason: Reason): void => {
    if (end > time) pieces.push(pieceOf(time, end, [reason]));
    time = Math.max(time, end);
  };
  for (const { from: left, until: back, lastPolledAt } of absences) {
    upTo(Math.min(left, until), NOT_ASKED);
    upTo(Math.min(back, until), { because: 'worker', unattended: true, lastPolledAt });
  }
  upTo(until, NOT_ASKED);
  return pieces;
}

interface Others {
  readonly running: ReadonlyMap<string, RunningTask>;
  /** The task that waits. */
  readonly but: string;
  /** Until when a worker counts as present that got a task last. */
  readonly presentUntil: number;
}

function piecesOf({ from, until }: Range, others: Others, policy: QueuePolicy, claims: number): readonly Piece[] {
  const slots = isCounted(policy) ? slotReasons({ queue: { policy }, running: withoutOne(others) }) : [];
  if (slots.length > 0) return [pieceOf(from, until, slots)];
  const behind = (end: number): Piece => ({ ...pieceOf(from, end, []), because: 'behind', claims });
  const { running, but, presentUntil } = others;
  if (running.size > (running.has(but) ? 1 : 0) || presentUntil >= until) return [behind(until)];
  const gone = Math.max(from, presentUntil);
  const awaited = pieceOf(gone, until, [NOT_ASKED]);
  return gone > from ? [behind(gone), awaited] : [awaited];
}

const withoutOne = ({ running, but }: Others): readonly RunningTask[] =>
  [...running.values()].filter(({ taskId }) => taskId !== but);

const NOT_ASKED: Reason = { because: 'worker', unattended: false, lastPolledAt: null };
