import type { FailureClass, QueueStats, TaskStatus } from '@waybill/client';

/** What happened to tasks between two reads of a queue's counts. */
export interface Tally {
  readonly succeeded: number;
  readonly failed: number;
  readonly failuresByClass: Readonly<Partial<Record<FailureClass, number>>>;
  /** Tasks that wait or run now. */
  readonly open: number;
}

export function tallyOf(before: QueueStats, now: QueueStats): Tally {
  const since = (state: TaskStatus): number => (now.counts[state] ?? 0) - (before.counts[state] ?? 0);
  const classes = Object.entries(now.failuresByClass) as [FailureClass, number][];
  const failures = classes.map(([name, count]) => [name, count - (before.failuresByClass[name] ?? 0)] as const);
  return {
    succeeded: since('succeeded'),
    // A failure that was superseded later still counts as a failure.
    failed: since('failed') + since('superseded'),
    failuresByClass: Object.fromEntries(failures.filter(([, count]) => count > 0)),
    open: (now.counts.pending ?? 0) + (now.counts.running ?? 0),
  };
}

export const doneOf = ({ succeeded, failed }: Tally): number => succeeded + failed;
