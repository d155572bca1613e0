import { createWaybill } from '@waybill/client';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workerOf } from './workers.js';

// The inventory, a service of its own: `node recorder.js <url> <work folder>`. It works on `Recording` only, and ends with
// the process that forked it.

const [url, work] = process.argv.slice(2);
if (!url || !work) throw new Error('Expected the URL of the service and a work folder, but one is missing');

const inventory = join(work, 'inventory');
await mkdir(inventory, { recursive: true });
const acts = {
  // An entry has the name of its job, so one that is written again replaces itself.
  Recording: async ({ job }: { job: { id: string } }) => {
    await writeFile(join(inventory, `${job.id}.json`), JSON.stringify(job, null, 2));
    return {};
  },
};
const worker = workerOf(createWaybill({ url, actor: 'inventory' }), acts, { name: 'inventory' });
process.on('SIGINT', () => undefined);
process.on('disconnect', () => void worker.stop());
const stopped = worker.stopOnSignals(['SIGTERM']);
await worker.start();
await stopped;
if (process.connected) process.disconnect();
