import type { TaskWait } from '../../projections/task-why/wait/explain-wait.query.js';
import type { QueueWaits } from '../../projections/task-why/wait/sum-waits.query.js';
import type { Interval } from '../../projections/task-why/wait/intervals.js';
import { type Explanation, idsIn, shownReason, withoutIds } from './explanation.js';

const instant = (time: number): string => new Date(time).toISOString();

const shownInterval = ({ from, until, because, reason, also, attempt, claims }: Interval) => ({
  from: instant(from),
  until: instant(until),
  ms: until - from,
  because,
  reason: reason && shownReason(reason),
  also: [...also],
  attempt,
  claims,
});

/** A wait as the API shows it. */
export const waitOf = ({ from, until, intervals, ...wait }: TaskWait) => ({
  ...wait,
  from: from === null ? null : instant(from),
  until: until === null ? null : instant(until),
  intervals: intervals.map(shownInterval),
});

/** Sums of waits as the API shows them. */
export const waitsOf = ({ from, until, ...waits }: QueueWaits) => ({
  ...waits,
  from: instant(from),
  until: instant(until),
});

type Shown = ReturnType<typeof waitOf>;

/** The tasks and batches of other queues that it may name. */
export const idsInWait = ({ intervals }: Shown): string[] => idsIn(reasonsIn(intervals));

/** Of these tasks and batches, only their state. */
export const waitWithoutIds = (wait: Shown, hidden: ReadonlySet<string>) => ({
  ...wait,
  intervals: wait.intervals.map(({ reason, ...interval }) => ({
    ...interval,
    reason: reason && withoutIds(reasonsIn([{ reason }]), hidden).reasons[0]!,
  })),
});

/** What the log does not tell of workers, if it matters. */
export const untoldInWait = ({ intervals }: TaskWait): readonly string[] =>
  intervals.some(({ reason }) => reason?.because === 'worker' && !reason.unattended)
    ? ['lastPolledAt', 'unattended']
    : [];

const reasonsIn = (intervals: readonly Pick<Shown['intervals'][number], 'reason'>[]): Pick<Explanation, 'reasons'> => ({
  reasons: intervals.flatMap(({ reason }) => reason ?? []),
});
