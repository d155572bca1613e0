import { createWaybill } from '@waybill/client';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workOn } from './workers.js';

// The inventory, a service of its own: `node recorder.js <url> <work folder>`. It works on `Recording` only, and ends with
// the process that forked it.

const [url, work] = process.argv.slice(2);
if (!url || !work) throw new Error('Expected the URL of the service and a work folder, but one is missing');

const stopping = new AbortController();
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => stopping.abort());
process.on('disconnect', () => stopping.abort());

const inventory = join(work, 'inventory');
await mkdir(inventory, { recursive: true });
await workOn(createWaybill({ url, actor: 'inventory' }), {
  name: 'inventory',
  steps: ['Recording'],
  signal: stopping.signal,
  // An entry has the name of its job, so one that is written again replaces itself.
  act: async (_, { job }) => {
    await writeFile(join(inventory, `${job.id}.json`), JSON.stringify(job, null, 2));
    return {};
  },
});
if (process.connected) process.disconnect();
