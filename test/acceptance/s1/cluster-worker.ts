import { createWaybill } from '@waybill/client';
import { createInterface } from 'node:readline';

// A server of the cluster, in a process of its own: works off `QUEUE` with as many tasks at once as `CONCURRENCY` says, each as
// soon as it is given out; where it is `PACED`, each ends with a line on stdin, and all without one when that is closed. Says what
// it began and ended, and ends at SIGTERM.
const { SERVICE_URL, QUEUE, SERVER, CONCURRENCY, PACED } = process.env as Record<string, string>;
const turns = PACED ? createInterface({ input: process.stdin })[Symbol.asyncIterator]() : null;
const say = (...words: unknown[]): void => void process.stdout.write(`${words.join(' ')}\n`);

const worker = createWaybill({ url: SERVICE_URL! })
  .worker({ name: SERVER!, server: SERVER!, concurrency: Number(CONCURRENCY), logger: null })
  .handle(QUEUE!, async (task) => {
    say('began', task.taskId);
    await (turns ? turns.next() : new Promise((resolve) => setImmediate(resolve)));
    say('ended', task.taskId);
  });
await worker.start();
say('ready');
await worker.stopOnSignals();
