import { createWaybill } from '@waybill/client';
import { parseArgs } from 'node:util';
import { ARCHIVE_QUEUES } from './queues/archive-queues.js';
import { workUntilStopped } from './worker-process.js';

// A worker process for the archive's other queues: `node clerk.js --url http://127.0.0.1:3000 --name clerk-1`.

const { values } = parseArgs({ options: { url: { type: 'string' }, name: { type: 'string' } } });
if (!values.url || !values.name) throw new Error('Expected --url of the service and --name, but one is missing');

const waybill = createWaybill({ url: values.url, actor: values.name });
const worker = waybill.worker({ name: values.name, graceMs: 5_000 });
for (const { name, handler } of ARCHIVE_QUEUES) worker.handle(name, handler(waybill));

await workUntilStopped(worker);
process.disconnect?.();
