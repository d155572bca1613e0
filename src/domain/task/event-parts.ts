import type { IsoTime } from '../kernel/json.js';
import { msOf } from '../kernel/time.js';
import type { FromStatus, HoldRef, TaskEvent } from './task.events.js';
import type { RunningTask, TaskFacts } from './task.state.js';

// Events spread their shared parts after their own properties: Node 20 takes 0.05 us for `{ own, ...part }`, and more
// than 1 us for each property that follows a spread.

/** Part of every event that leaves a status. */
export const leaving = (state: { readonly status: FromStatus; readonly task: TaskFacts }) => ({
  queue: state.task.submission.queue,
  from: state.status,
});

export const keyOf = ({ submission }: TaskFacts): { readonly key?: string } =>
  submission.key === undefined ? NOTHING : { key: submission.key };

/** Part of every event after which a task no longer matters because of a success. */
export const rerunOf = ({ submission }: TaskFacts): { readonly rerunOf?: string } =>
  submission.rerunOf === undefined ? NOTHING : { rerunOf: submission.rerunOf.task };

export const reasonIn = (reason: string | null): { readonly reason?: string } =>
  reason === null ? NOTHING : { reason };

export const holdRef = (by: string, reason: string | null): HoldRef => ({ by, ...reasonIn(reason) });

export const caughtBy = (heldBy: HoldRef | null): { readonly heldBy?: HoldRef } =>
  heldBy === null ? NOTHING : { heldBy };

/** Part of the events that a shutdown causes. */
export const forShutdown = ({ shutdown }: { readonly shutdown: boolean }): { readonly shutdown?: true } =>
  shutdown ? { shutdown } : NOTHING;

const NOTHING = {};

/** Part of every event of the running attempt. */
export const ofAttempt = ({ task, lease }: RunningTask) => ({
  queue: task.submission.queue,
  attempt: task.attempt,
  token: lease.token,
  worker: lease.worker,
});

/** Milliseconds from the claim until now. Never negative, even if the clock was set back. */
export const ranUntil = ({ lease }: RunningTask, now: IsoTime): number =>
  Math.max(0, msOf(now) - msOf(lease.claimedAt));

/** Part of every event that ends the running attempt. */
export const endOfAttempt = (state: RunningTask, now: IsoTime) => ({
  queue: state.task.submission.queue,
  attempt: state.task.attempt,
  token: state.lease.token,
  worker: state.lease.worker,
  ranMs: ranUntil(state, now),
});

export const later = (now: IsoTime, ms: number): IsoTime => new Date(Date.parse(now) + ms).toISOString();

/** The task waits so long at least before it can be claimed again. */
export function postponed({ task }: RunningTask, now: IsoTime, afterMs: number): TaskEvent {
  const data = { queue: task.submission.queue, dueAt: later(now, afterMs), previous: task.dueAt };
  return { type: 'TaskRescheduled', version: 1, data };
}
