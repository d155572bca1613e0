import { createWaybill } from '@waybill/client';
import { createInterface } from 'node:readline';

// A server of the cluster in a process of its own. Processes `QUEUE` with `CONCURRENCY` tasks at once. If it is
// `PACED`, each line on stdin ends a task, and closing stdin ends all of them; otherwise tasks end at once. Prints when
// tasks begin and end, and stops on SIGTERM.
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
