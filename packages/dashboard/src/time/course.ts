import type { QueueHistory } from '@waybill/client';

/** What ended in each interval of a range, the oldest first. */
export interface Course {
  readonly succeeded: readonly number[];
  readonly failed: readonly number[];
}

/** What several queues did together. Their histories may begin an interval apart. */
export function courseOf(histories: readonly QueueHistory[]): Course {
  const sums = new Map<string, { succeeded: number; failed: number }>();
  for (const { at, succeeded, failed } of histories.flatMap(({ buckets }) => buckets)) {
    const sum = sums.get(at) ?? { succeeded: 0, failed: 0 };
    sum.succeeded += succeeded;
    sum.failed += Object.values(failed).reduce((all, tasks) => all + tasks, 0);
    sums.set(at, sum);
  }
  const inOrder = [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
  return { succeeded: inOrder.map((sum) => sum.succeeded), failed: inOrder.map((sum) => sum.failed) };
}
