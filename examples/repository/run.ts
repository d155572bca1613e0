import { type BatchHandle, createWaybill, type Waybill, type Worker } from '@waybill/client';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { depositsOf } from './deposits.js';
import type { Repository } from './job.js';
import type { Folders } from './options.js';
import { DEDICATED, defineRepository, STORAGE, SUBMISSIONS } from './queues.js';
import { MOST_BYTES } from './receive.js';
import { keepRecording } from './recorders.js';
import { planWith, submit } from './submissions.js';
import { startSurroundings, type Surroundings } from './surroundings.js';
import { tidyUp } from './tidy-up.js';
import { repositoryWorker } from './workers.js';
import { dedicatedIn, gaugeOf } from './working-storage.js';

const LOOK_MS = 300;
const HEAD_MS = 10_000;

type Batch = Awaited<ReturnType<BatchHandle['get']>>;
type JobView = Awaited<ReturnType<ReturnType<Waybill['task']>['get']>>;

/** What became of a submission. */
export interface Deposited {
  readonly batch: Batch;
  readonly jobs: readonly JobView[];
}

/** Submits what the folder has, and works until each submission has ended, also jobs that somebody retried, and its report was delivered. */
export async function deposit(
  url: string,
  { folder, work }: Folders,
  stop: AbortSignal,
): Promise<readonly Deposited[]> {
  const root = join(work, 'submissions');
  await mkdir(root, { recursive: true });
  const around = await startSurroundings(work);
  const stopping = new AbortController();
  const signal = AbortSignal.any([stop, stopping.signal]);
  const recording = keepRecording(url, work, signal);
  const waybill = createWaybill({ url, actor: 'repository' });
  const at = repositoryOf(around, root);
  const worker = workerFor(waybill, at);
  try {
    await defineRepository(waybill);
    const batches = await submitAll(waybill, folder, around, root);
    await worker.start();
    await Promise.race([ended(waybill, batches, signal), recording, tidyUp(waybill, at, signal)]);
    stop.throwIfAborted();
    return await Promise.all(batches.map((batch) => depositedOf(waybill, batch)));
  } finally {
    stopping.abort();
    await Promise.allSettled([recording, worker.stop()]);
    await around.stop();
  }
}

const repositoryOf = ({ ezid, storage }: Surroundings, root: string): Repository => ({
  root,
  ezid: { url: ezid.url, shoulder: 'ark:/99999/fk4' },
  storage: storage.url,
  callback: null,
  arkOf: async () => null,
  headMs: HEAD_MS,
});

async function submitAll(waybill: Waybill, folder: string, { files }: Surroundings, root: string) {
  const batches: BatchHandle[] = [];
  for (const one of await depositsOf(folder, files))
    batches.push(await submit(waybill, { ...one, mailTo: 'ann@example.org' }, { root, mostBytes: MOST_BYTES }));
  return batches;
}

/** Plans submissions, works on their jobs, and measures the storage. */
const workerFor = (waybill: Waybill, at: Repository): Worker =>
  repositoryWorker(waybill, at, { name: 'repository', concurrency: 4, waitMs: 5_000, graceMs: 3_000 })
    .plan(SUBMISSIONS, planWith({ root: at.root, folders: 'first-step' }))
    .watch(STORAGE, gaugeOf(at.root))
    .watch(DEDICATED, dedicatedIn(at.root));

async function ended(waybill: Waybill, batches: readonly BatchHandle[], signal: AbortSignal): Promise<void> {
  for (const batch of batches) while (!signal.aborted && !(await isReported(batch))) await pause(LOOK_MS);
}

async function isReported(batch: BatchHandle): Promise<boolean> {
  const { reports, open } = await batch.get();
  // A job that somebody retries after the report is open again.
  if (reports === 0 || open > 0) return false;
  for await (const { deliveries } of batch.reports())
    if (deliveries.some(({ state }) => state !== 'succeeded' && state !== 'failed')) return false;
  return true;
}

async function depositedOf(waybill: Waybill, batch: BatchHandle): Promise<Deposited> {
  const { items } = await waybill.tasks.page({ batch: batch.id });
  return { batch: await batch.get(), jobs: await Promise.all(items.map(({ id }) => waybill.task(id).get())) };
}
