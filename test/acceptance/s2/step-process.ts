import { createWaybill, steps } from '@waybill/client';

// A worker in a process of its own that downloads, and then hangs in the next step.
const { SERVICE_URL, QUEUE } = process.env as Record<string, string>;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const worker = createWaybill({ url: SERVICE_URL! }).worker({ name: 'killed', logger: null, leaseMs: 1_000 });
worker.handle(
  QUEUE!,
  steps({
    download: async (_, run) => {
      await run.record({ whole: ['a.tif'] });
      say('downloaded');
      return run.done({ data: { bytes: 4_711 } });
    },
    checksum: (task, run) => {
      say(`in ${task.step}`);
      return new Promise((resolve) => run.signal.addEventListener('abort', resolve));
    },
  }),
);
await worker.start();
