import { isOpen, type TaskEvent } from '../../domain/task/task.events.js';
import { taskIdOf } from '../../domain/task/task.stream.js';
import type { KnownTask, TaskState } from '../../domain/task/task.state.js';
import { isFence, type TaskRecord } from '../appends.js';
import type { Rule, Seen, SeenTask, Tell } from '../rule.js';
import { type Violation, violation } from '../violation.js';
import { isTimedOut } from './attempts.js';

/** The database decides. What is recorded are times of processes that follow its clock. */
const CLOCKS_MS = 1_000;
/** From the look at a task that is picked to the time that is recorded with its claim. */
const PICK_MS = 10_000;
/** Longer than any outage. After it, the sweeper has seen what has passed before anything else happens. */
const OUTAGE_MS = 60_000;

/** I22: what follows the times that limit tasks, and when. */
export class TimeLimits implements Rule {
  take(append: readonly Seen[], tell: Tell): void {
    const [first] = append as [Seen];
    if (first.id === null) return;
    if (!isFence(first.recorded)) overlooked(first.before, first.recorded, tell);
    for (const { recorded, before } of append as readonly SeenTask[])
      if (before.status !== 'unknown') mistimed(before, recorded, tell);
  }
}

/** What was to happen long before, whatever happens now. */
function overlooked(before: TaskState, recorded: TaskRecord, tell: Tell): void {
  for (const { at, what, ends } of alarmsOf(before)) {
    if (msFrom(at, recorded) <= OUTAGE_MS || ends(recorded.event)) continue;
    tell(said(recorded, `${what} soon after ${at}`, `'${recorded.event.type}' came at ${recorded.recordedAt}`));
  }
}

interface Alarm {
  readonly at: string;
  readonly what: string;
  /** Whether the event is what follows, or may come in its stead. */
  readonly ends: (event: TaskEvent) => boolean;
}

function* alarmsOf(state: TaskState): Generator<Alarm> {
  if (state.status === 'unknown') return;
  const { expiresAt, deadlineAt, deadlineMissed } = state.task;
  const runUntil = state.status === 'running' ? state.lease.runUntil : undefined;
  if (runUntil !== undefined)
    yield { at: runUntil, what: 'be timed out', ends: (event) => isTimedOut(event) || MAY_PRECEDE.has(event.type) };
  if (expiresAt !== null && WAITING.has(state.status))
    yield { at: expiresAt, what: 'expire', ends: (event) => isExpired(event) || MAY_PRECEDE.has(event.type) };
  if (deadlineAt !== null && !deadlineMissed && isOpen(state.status))
    yield { at: deadlineAt, what: 'miss its deadline', ends: ({ type }) => type === 'TaskDeadlineMissed' };
}

/** An attempt that is both lost and too long is lost, and a deadline comes before what ends the task. */
const MAY_PRECEDE: ReadonlySet<TaskEvent['type']> = new Set(['TaskLeaseExpired', 'TaskDeadlineMissed']);

const WAITING: ReadonlySet<TaskState['status']> = new Set(['prepared', 'pending', 'held']);

const isExpired = ({ type, data }: TaskEvent): boolean => type === 'TaskFailed' && data.error.class === 'expired';

/** What happened at a time, or to a task, at which it must not. */
function mistimed({ status, task, ...state }: KnownTask, recorded: TaskRecord, tell: Tell): void {
  const { event } = recorded;
  if (event.type === 'TaskClaimed' && isAfter(event.data.claimedAt, task.expiresAt))
    tell(said(recorded, `be given to nobody from ${task.expiresAt} on`, `it was at ${event.data.claimedAt}`));
  if (isTimedOut(event) && 'lease' in state) early(recorded, 'run', state.lease.runUntil, tell);
  if (isExpired(event)) early(recorded, 'live', task.expiresAt, tell);
  if (event.type !== 'TaskDeadlineMissed') return;
  early(recorded, 'have time', task.deadlineAt, tell);
  if (task.deadlineMissed) tell(said(recorded, 'miss its deadline once', 'it missed it again'));
  if (!isOpen(status)) tell(said(recorded, 'miss no deadline any more', `it had ${status}`));
}

function early(recorded: TaskRecord, doing: string, until: string | null | undefined, tell: Tell): void {
  if (until == null || msFrom(until, recorded) < -CLOCKS_MS)
    tell(said(recorded, `${doing} until ${until}`, `'${recorded.event.type}' came at ${recorded.recordedAt}`));
}

const isAfter = (time: string, limit: string | null): boolean =>
  limit !== null && Date.parse(time) - Date.parse(limit) > PICK_MS;

const msFrom = (time: string, { recordedAt }: TaskRecord): number => Date.parse(recordedAt) - Date.parse(time);

const said = (recorded: TaskRecord, expected: string, actual: string): Violation =>
  violation('I22', `Expected task '${taskIdOf(recorded.stream)}' to ${expected}, but ${actual}`, recorded);
