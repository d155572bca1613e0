import { createWaybill } from '@waybill/client';
import { parseArgs } from 'node:util';
import { workUntilStopped } from '../demo/worker-process.js';
import { Catalogue } from './catalogue.js';
import { ingestInto } from './handler.js';
import { QUEUE } from './queue.js';

// A worker process: `DATABASE_URL=postgres://... node worker.js --url http://127.0.0.1:3000 --name archivist-1`. It
// sends `ready` to a process that forked it, and answers that process's question about the memory used.

/**
 * Claims and settlements are sent in batches, each of which costs about the same, so fewer and larger ones are faster.
 */
const CONCURRENCY = 400;

const { values } = parseArgs({ options: { url: { type: 'string' }, name: { type: 'string' } } });
const { DATABASE_URL: databaseUrl } = process.env;
if (!values.url || !databaseUrl) {
  throw new Error('Expected --url of the service and DATABASE_URL of the catalogue, but one is missing');
}

const catalogue = new Catalogue(databaseUrl);
await catalogue.prepare();
const worker = createWaybill({ url: values.url })
  .worker({ ...(values.name && { name: values.name }), concurrency: CONCURRENCY, graceMs: 5_000 })
  .handle(QUEUE, ingestInto(catalogue));

process.on('message', () => process.send?.({ peakBytes: process.resourceUsage().maxRSS * 1_024 }));

await workUntilStopped(worker);
await catalogue.close();
process.disconnect?.();
