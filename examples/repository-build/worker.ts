import { createWaybill } from '@waybill/client';
import { parseArgs } from 'node:util';
import { workUntilStopped } from '../demo/worker-process.js';
import { buildFunctions } from './plan.js';

// A worker process: `node worker.js --url http://127.0.0.1:3000 --name builder-1`.

const { values } = parseArgs({ options: { url: { type: 'string' }, name: { type: 'string' } } });
if (!values.url || !values.name) throw new Error('Expected --url of the service and --name, but one is missing');

const waybill = createWaybill({ url: values.url, actor: values.name });
const worker = waybill
  .worker({ name: values.name, concurrency: 1, graceMs: 5_000 })
  .handle(buildFunctions(waybill).functions);

await workUntilStopped(worker);
process.disconnect?.();
