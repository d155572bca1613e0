import type { NewTask, Waybill } from '@waybill/client';
import type { ArchiveQueue } from './queue.js';

/** Only one waits, however many are enqueued. */
const NEXT: NewTask = { kind: 'report', key: 'report' };

/** Reports on the archive at the due times of its queue: every minute here, every night in reality. */
export const report: ArchiveQueue = {
  name: 'archive-report',
  shows: 'every minute, by its due times',
  description: 'Counts what was done, every minute: the queue says when a task is due.',
  policy: { dueTimes: { cron: '* * * * *', timeZone: 'UTC' }, onFailure: 'retry' },
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
