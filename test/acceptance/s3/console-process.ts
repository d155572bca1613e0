import { createWaybill, Stopped } from '@waybill/client';

// A program of the console in a process of its own. Runs one task function until it is cancelled: HOW says whether a
// worker runs it, or the program itself. Prints the id of the task when it runs, and whether its run was cancelled.
const { SERVICE_URL, QUEUE, HOW } = process.env as Record<string, string>;
const say = (...words: unknown[]): void => void process.stdout.write(`${words.join(' ')}\n`);

const waybill = createWaybill({ url: SERVICE_URL! });
const functions = waybill.functions({ queue: QUEUE! });
const wait = functions.task('console:wait', async (id, run) => {
  say('running', id);
  await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
  say('cancelled', run.cancelled);
});

if (HOW === 'worker') {
  const worker = waybill.worker({ logger: null, graceMs: 60_000 }).handle(functions);
  const stopped = worker.stopOnSignals();
  await worker.start();
  await wait.apply([]);
  await stopped;
} else {
  await wait().catch((error: unknown) => {
    if (!(error instanceof Stopped)) throw error;
  });
}
