import type { Waybill } from '@waybill/client';
import { type Stage, succeed, work } from './stage.js';

/** A batch whose graph is as large as pages draw, half done. */
export interface BigBatch {
  readonly batch: string;
  /** The page that failed; its volume waits for it. */
  readonly failed: string;
}

const QUEUE = 'digitisation';
export const BIG_BATCH_MINUTES = 50;
const [VOLUMES, PAGES] = [40, 8];
/** Volumes whose pages were read when the one failed. */
const READ = 25;

/** Forty volumes are scanned, each read page by page, and bound: 400 tasks. One page cannot be read. */
export async function bigBatch({ as, pass }: Stage): Promise<BigBatch> {
  const librarian = as('librarian');
  await librarian.queue(QUEUE).define({ onFailure: 'fail' }, { description: 'Volumes of the city archive' });
  const batch = await librarian.planBatch({ name: 'City archive 1871–1910', description: 'Forty volumes' }).create();
  await makeVolumes(librarian, batch.id);
  await batch.open(VOLUMES * (PAGES + 2));
  await pass(5);
  await work(as('scanner-1'), { queue: QUEUE, count: VOLUMES, worker: 'scanner-1', verdict: succeed });
  await pass(10);
  const failed = await read({ as, pass });
  return { batch: batch.id, failed };
}

async function makeVolumes(waybill: Waybill, batch: string): Promise<void> {
  const volumes = Array.from({ length: VOLUMES }, (_, n) => n + 1);
  const pages = Array.from({ length: PAGES }, (_, n) => n + 1);
  const make = async (tasks: readonly { readonly name: string; readonly after: readonly string[] }[]) => {
    const made = await waybill.queue(QUEUE).enqueueMany(
      tasks.map(({ name, after }) => ({
        reference: name,
        batch,
        after: after.map((task) => ({ task })),
        payload: { name },
      })),
    );
    return made.map((outcome) => ('id' in outcome ? outcome.id : ''));
  };
  const scans = await make(volumes.map((volume) => ({ name: `scan volume ${volume}`, after: [] })));
  const reads = await make(
    volumes.flatMap((volume, at) =>
      pages.map((page) => ({ name: `read volume ${volume} part ${page}`, after: [scans[at]!] })),
    ),
  );
  const of = (at: number): string[] => reads.slice(at * PAGES, (at + 1) * PAGES);
  await make(volumes.map((volume, at) => ({ name: `bind volume ${volume}`, after: of(at) })));
}

/** Most pages are read, the one in the middle fails, some are being read. */
async function read({ as, pass }: Stage): Promise<string> {
  for (let round = 0; round < 5; round++) {
    const worker = `reader-${round}`;
    await work(as(worker), { queue: QUEUE, count: (READ * PAGES) / 5 - 1, worker, verdict: succeed });
    await pass(6);
  }
  const error = { message: 'Expected 300 dpi, but the picture has 72', class: 'application' as const };
  const [failed] = await work(as('worker-1'), { queue: QUEUE, count: 1, verdict: () => ({ type: 'fail', error }) });
  const reader = as('reader-1');
  const running = await reader.queue(QUEUE).claim({ worker: 'reader-1', max: 4, leaseMs: 3_600_000 });
  const progress = [{ title: 'lines', start: 0, end: 240, position: 130 }];
  await reader.extend(running.map(({ taskId, token }) => ({ taskId, token, progress })));
  return failed!;
}
