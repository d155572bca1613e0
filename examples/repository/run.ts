import { type BatchHandle, createWaybill, type Waybill } from '@waybill/client';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { depositsOf } from './deposits.js';
import { keepPort, KeptMap, keptPort } from './kept.js';
import { serve, serveEzid, serveFiles } from './local-servers.js';
import type { Folders } from './options.js';
import { defineRepository, STORAGE, SUBMISSIONS } from './queues.js';
import { MOST_BYTES } from './receive.js';
import { planWith, submit } from './submissions.js';
import type { Repository } from './job.js';
import { tidyUp } from './tidy-up.js';
import { LEASE_MS, repositoryWorker } from './workers.js';

const LOOK_MS = 300;
const HEAD_MS = 10_000;
const RECORDER = fileURLToPath(new URL('recorder.js', import.meta.url));

export type Batch = Awaited<ReturnType<BatchHandle['get']>>;
export type Job = Awaited<ReturnType<ReturnType<Waybill['task']>['get']>>;

/** What became of the submissions. */
export interface Deposited {
  readonly submissions: readonly { readonly batch: Batch; readonly jobs: readonly Job[] }[];
  /** The identifiers, with what each is for. */
  readonly identifiers: ReadonlyMap<string, string>;
  readonly mails: string;
}

/** Submits what the folder has, and works until each submission has ended and its report was delivered. */
export async function deposit(url: string, { folder, work }: Folders, mails: string, stop: AbortSignal) {
  const root = join(work, 'submissions');
  await mkdir(root, { recursive: true });
  const files = await serveFiles(keptPort(join(work, 'port')));
  keepPort(join(work, 'port'), files.url);
  const identifiers = KeptMap.open(join(work, 'identifiers.jsonl'));
  const ezid = await serveEzid(identifiers);
  const storage = await serve((request, response) => request.resume().on('end', () => response.writeHead(200).end()));
  const waybill = createWaybill({ url, actor: 'repository' });
  const stopping = new AbortController();
  const signal = AbortSignal.any([stop, stopping.signal]);
  const shoulder = 'ark:/99999/fk4';
  const at: Repository = {
    root,
    ezid: { url: ezid.url, shoulder },
    storage: storage.url,
    callback: null,
    arkOf: async () => null,
    headMs: HEAD_MS,
  };
  await defineRepository(waybill);
  await waybill.resources.measure(STORAGE, 10);
  const planner = waybill.worker({ logger: null, waitMs: 1_000, leaseMs: LEASE_MS });
  planner.plan(SUBMISSIONS, planWith({ root, folders: 'first-step' }));
  const recorder = startRecorder(url, work, signal);
  try {
    const batches: BatchHandle[] = [];
    for (const one of await depositsOf(folder, files))
      batches.push(await submit(waybill, { ...one, mailTo: 'ann@example.org' }, { root, mostBytes: MOST_BYTES }));
    await planner.start();
    const working = repositoryWorker(waybill, at, { name: 'repository', signal, waitMs: 5_000 });
    await Promise.race([ended(waybill, batches, signal), working, tidyUp(waybill, at, signal)]);
    stop.throwIfAborted();
    const submissions = await Promise.all(batches.map((batch) => submissionOf(waybill, batch)));
    return { submissions, identifiers, mails } satisfies Deposited;
  } finally {
    stopping.abort();
    await planner.stop();
    await recorder;
    await Promise.all([files, ezid, storage].map((server) => server.stop()));
  }
}

/** Starts the other service again whenever it ends, until the signal. */
async function startRecorder(url: string, work: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const child: ChildProcess = fork(RECORDER, [url, work]);
    const stop = () => void child.kill('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    await once(child, 'exit');
    signal.removeEventListener('abort', stop);
    if (!signal.aborted) await pause(1_000);
  }
}

async function ended(waybill: Waybill, batches: readonly BatchHandle[], signal: AbortSignal): Promise<void> {
  for (const batch of batches) while (!signal.aborted && !(await isReported(batch))) await pause(LOOK_MS);
}

async function isReported(batch: BatchHandle): Promise<boolean> {
  const { reports } = await batch.get();
  if (reports === 0) return false;
  for await (const { deliveries } of batch.reports())
    if (deliveries.some(({ state }) => state !== 'succeeded' && state !== 'failed')) return false;
  return true;
}

async function submissionOf(waybill: Waybill, batch: BatchHandle) {
  const { items } = await waybill.tasks.page({ batch: batch.id });
  return { batch: await batch.get(), jobs: await Promise.all(items.map(({ id }) => waybill.task(id).get())) };
}
