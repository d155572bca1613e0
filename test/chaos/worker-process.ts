import { lineClient } from './line-client.js';
import { startWorker } from './load.js';

// A worker in a process of its own. Stops in order on SIGTERM.
const worker = await startWorker(lineClient(process.env.SERVICE_URL!), { name: 'child', leaseMs: 5_000 });
await worker.stopOnSignals();
