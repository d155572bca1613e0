import { lineClient } from './line-client.js';
import { startWorker } from './load.js';

// A worker in a process of its own. Stops in order on SIGTERM.
const { SERVICE_URL, WORKER: name = 'child', LEASE_MS = '5000' } = process.env;
const worker = await startWorker(lineClient(SERVICE_URL!), { name, leaseMs: Number(LEASE_MS) });
await worker.stopOnSignals();
