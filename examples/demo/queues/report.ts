import type { NewTask, Waybill } from '@waybill/client';
import type { ArchiveQueue } from './queue.js';

/** One waits, whoever hands in another. */
const NEXT: NewTask = { kind: 'report', key: 'report' };

/** A report of what the archive has come to, when its schedule says: every minute here, every night elsewhere. */
export const report: ArchiveQueue = {
  name: 'archive-report',
  shows: 'every minute, by its schedule',
  description: 'Counts what was done, every minute: the schedule of the queue says when a task is due.',
  policy: { schedule: { cron: '* * * * *', timeZone: 'UTC' }, onFailure: 'retry' },
  atStart: [NEXT],
  forFiles: () => [],
  handler: (waybill) => async () => {
    const counts = await succeededIn(waybill);
    await waybill.queue(report.name).enqueueMany([NEXT]);
    return counts;
  },
};

async function succeededIn(waybill: Waybill): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for await (const { queue, counts: of } of waybill.queueStats()) counts[queue] = of.succeeded ?? 0;
  return counts;
}
