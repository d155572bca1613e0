// A worker of the client of a checkout, in a process of its own: `worker-process.mjs CHECKOUT URL QUEUE HANDLER TASKS`.
// Tells its parent when it is ready, begins when told to, and tells what it took.
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { HANDLERS } from './handlers.mjs';

const CONCURRENCY = 10;
const [checkout, url, queue, name, tasks] = process.argv.slice(2);
const { createWaybill } = await import(join(checkout, 'packages/client/dist/index.js'));

const worker = createWaybill({ url, actor: 'bench' }).worker({ concurrency: CONCURRENCY, logger: null });
const handler = HANDLERS[name];
let left = Number(tasks);
const done = new Promise((resolve) =>
  worker.handle(queue, async () => {
    if (handler.ms > 0) await pause(handler.ms);
    if (--left === 0) resolve();
  }),
);

const begun = once(process, 'message');
process.send('ready');
await begun;

const [begin, time] = [performance.now(), process.cpuUsage()];
await worker.start();
await done;
// Until its result is recorded, too.
await worker.stop();
const { user, system } = process.cpuUsage(time);
process.send({ ms: performance.now() - begin, microseconds: user + system }, () => process.disconnect());
