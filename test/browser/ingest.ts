import type { BatchHandle, Waybill } from '@waybill/client';
import { type ConsoleQueue, makeConsole } from '../acceptance/s3/console.js';

export interface Ingest {
  readonly queue: ConsoleQueue;
  readonly batch: BatchHandle;
}

/** Eight tasks of one batch: three wait for the first, and two of these have others behind them. */
const EIGHT = {
  'copy assets': [],
  'read links': ['copy assets'],
  'make previews': ['copy assets'],
  'count pages': ['copy assets'],
  'check links': ['read links'],
  'store previews': ['make previews'],
  publish: ['check links'],
  notify: ['store previews'],
};

/** An ingest that is open; none of its tasks has run. */
export async function planIngest(waybill: Waybill, name: string): Promise<Ingest> {
  const queue = await makeConsole(waybill);
  const batch = await waybill.planBatch({ name, description: 'A canal and its pictures' }).create();
  await queue.addAll(EIGHT, { batch: batch.id });
  await batch.open(Object.keys(EIGHT).length);
  return { queue, batch };
}

/** The first task succeeded, of the next ones one failed, one has succeeded, and one is half done. */
export async function breakIngest({ queue }: Ingest): Promise<void> {
  await queue.take();
  await queue.succeed('copy assets');
  await queue.take();
  await queue.fail('read links');
  await queue.succeed('count pages');
  const { taskId, token } = queue.claimedTask('make previews');
  await queue.waybill.extend([{ taskId, token, progress: [{ title: 'pages', start: 0, end: 50, position: 29 }] }]);
}
