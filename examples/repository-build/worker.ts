import { createWaybill } from '@waybill/client';
import { parseArgs } from 'node:util';
import { buildFunctions } from './plan.js';

// A worker process: `node worker.js --url http://127.0.0.1:3000 --name builder-1`.

const { values } = parseArgs({ options: { url: { type: 'string' }, name: { type: 'string' } } });
if (!values.url || !values.name) throw new Error('Expected --url of the service and --name, but one is missing');

const waybill = createWaybill({ url: values.url, actor: values.name });
const worker = waybill
  .worker({ name: values.name, concurrency: 1, graceMs: 5_000 })
  .handle(buildFunctions(waybill).functions);

// Ctrl-C reaches every process of the terminal. The process that started this one decides when it stops.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => void worker.stop());

const stopped = worker.stopOnSignals(['SIGTERM']);
await worker.start();
process.send?.('ready');
await stopped;
process.disconnect?.();
