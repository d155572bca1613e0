import { accept, alreadyDone, reject } from '../kernel/decider.js';
import type { IsoTime } from '../kernel/json.js';
import { MOST_REPORTED_BYTES } from './bounds.js';
import { claimIsOver, holdsClaim } from './claim.js';
import { endOfAttempt, later, ofAttempt } from './event-parts.js';
import { requeue } from './requeue.js';
import { TASK_COMMANDS, type TaskCommandOf } from './task.commands.js';
import type { TaskEvent } from './task.events.js';
import type { KnownTask, RunningTask } from './task.state.js';
import { illegal, type TaskDecision, type TaskRules } from './task.transitions.js';
import { unreadSignal, type Wait, type WaitEnd, waitNamed, type WaitName } from './wait-state.js';

export const WAIT_RULES = {
  WaitTask: wait,
  SignalTask: signal,
} satisfies Partial<TaskRules>;

/** The most signals of a task that no handler has asked for yet. */
export const MOST_SIGNALS = 100;

/**
 * What the handler waits for is there, or the time is over: the attempt goes on, and that is recorded, so that it is the
 * same when the handler runs again. Otherwise the attempt ends, and the task waits.
 */
function wait(command: TaskCommandOf<'WaitTask'>, state: KnownTask): TaskDecision {
  if (!holdsClaim(command, state)) return claimIsOver(command, state);
  const asked = waitNamed(state.task.waits, command);
  if (asked?.end) return alreadyDone;
  if (command.signal !== undefined && unreadSignal(state.task.waits, command.signal))
    return ended(command, state, 'signal');
  if (isOver(asked, state, command.now)) return ended(command, state, 'time');
  const dueAt = asked?.until ?? later(command.now, command.timeoutMs);
  const data = { dueAt, ...nameOf(command), ...endOfAttempt(state, command.now) };
  return accept<TaskEvent>({ type: 'TaskWaited', version: 1, data }, ...requeue(state, command));
}

/** The database gave the task out when its time was over, and its clock may be ahead of ours. */
const isOver = (asked: Wait | undefined, { lease }: RunningTask, now: IsoTime): boolean =>
  asked?.until !== undefined && (asked.until <= now || asked.until <= lease.claimedAt);

const nameOf = ({ signal: name, number }: WaitName): WaitName =>
  name === undefined ? { number } : { signal: name, number };

const ended = (command: WaitName, state: RunningTask, by: WaitEnd['by']): TaskDecision =>
  accept<TaskEvent>({ type: 'TaskWaitEnded', version: 1, data: { by, ...nameOf(command), ...ofAttempt(state) } });

/** A signal that comes first waits for the task to ask. Whoever waits for it waits no longer. */
function signal(command: TaskCommandOf<'SignalTask'>, state: KnownTask): TaskDecision {
  if (!TASK_COMMANDS.SignalTask.on.includes(state.status)) return illegal(command, state);
  const { task } = state;
  const { queue } = task.submission;
  const signals = task.waits?.unread.length ?? 0;
  if (signals >= MOST_SIGNALS || task.reportedBytes >= MOST_REPORTED_BYTES)
    return reject({ code: 'SIGNALS_FULL', signals, bytes: task.reportedBytes });
  const data = { queue, signal: command.signal, data: command.data };
  const signalled: TaskEvent = { type: 'TaskSignalled', version: 1, data };
  return waitsFor(state, command.signal)
    ? accept<TaskEvent>(signalled, {
        type: 'TaskRescheduled',
        version: 1,
        data: { queue, dueAt: null, previous: task.dueAt },
      })
    : accept<TaskEvent>(signalled);
}

/** A task that somebody has rescheduled since it began to wait runs at that time. */
const waitsFor = ({ status, task }: KnownTask, name: string): boolean =>
  (status === 'pending' || status === 'held') &&
  task.dueAt !== null &&
  task.waits?.asked.some(({ signal: one, until }) => one === name && until === task.dueAt) === true;
