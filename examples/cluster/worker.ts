import { createWaybill } from '@waybill/client';
import { parseArgs } from 'node:util';
import { workUntilStopped } from '../demo/worker-process.js';
import { Books } from './books.js';
import { ShopQueues } from './queues.js';
import { serve } from './server.js';
import { TROUBLES } from './troubles.js';

// A server of the cluster: `node worker.js --url http://127.0.0.1:3000 --name server-1 --month january --books ledger.txt`.

const option = { type: 'string' } as const;
const { values } = parseArgs({ options: { url: option, name: option, month: option, books: option } });
const { url, name, month, books } = values;
if (!url || !name || !month || !books)
  throw new Error('Expected --url of the service, --name, --month and --books, but one is missing');

const waybill = createWaybill({ url, actor: name });
const worker = waybill.worker({ name, server: name, graceMs: 5_000 });
serve(worker, new ShopQueues(waybill, month), new Books(books), TROUBLES);

await workUntilStopped(worker);
process.disconnect?.();
