import type { QueueHandle, QueueStats } from '@waybill/client';
import { setTimeout as pause } from 'node:timers/promises';
import { taskOf } from '../archive-ingest/queue.js';
import { scan } from '../archive-ingest/scan.js';
import { DemoError } from './options.js';
import { type Tally, tallyOf } from './tally.js';

export interface IngestOptions {
  readonly dir: string;
  /** A folder to skip. */
  readonly except: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Called for each batch of files that was enqueued. */
  readonly onFiles: (paths: readonly string[]) => Promise<void>;
  /** The progress of the other queues, in words. */
  readonly beside: () => Promise<readonly string[]>;
}

export interface Progress extends Tally {
  /** Whether files are still being enqueued. */
  readonly scanning: boolean;
  /** The progress of the other queues. */
  readonly beside: readonly string[];
}

export interface Ingested extends Tally {
  /** The first task that waits for a file of the folder. */
  readonly firstTask: string | null;
}

/** The most that the service accepts in one request. */
const BATCH = 1_000;

const LOOK_MS = 200;

/** Enqueues a task for every file below the folder, and resolves when all of them have ended. */
export async function ingest(queue: QueueHandle, before: QueueStats, options: IngestOptions): Promise<Ingested> {
  const over = new AbortController();
  const submitting = submit(queue, { ...options, signal: AbortSignal.any([options.signal, over.signal]) });
  // Its failure is handled where it is awaited below, unless another failure comes first.
  submitting.catch(() => undefined);
  try {
    return await ended(queue, before, submitting, options);
  } finally {
    over.abort();
  }
}

/** Resolves when all tasks have ended. */
async function ended(
  queue: QueueHandle,
  before: QueueStats,
  submitting: Promise<Submitted>,
  options: IngestOptions,
): Promise<Ingested> {
  let submitted: Submitted | null = null;
  for (;;) {
    const stats = await queue.stats({ minPosition: submitted?.position, signal: options.signal });
    const tally = tallyOf(before, stats);
    if (submitted && tally.open === 0) return { ...tally, firstTask: submitted.firstTask };
    options.onProgress({ ...tally, scanning: submitted === null, beside: await options.beside() });
    const look = pause(LOOK_MS, null, { signal: options.signal });
    submitted ??= await Promise.race([submitting, look]);
    await look;
  }
}

interface Submitted {
  readonly firstTask: string | null;
  /** Counts from this position on include every task. */
  readonly position: string | undefined;
}

async function submit(queue: QueueHandle, { dir, except, signal, onFiles }: IngestOptions): Promise<Submitted> {
  let submitted: Submitted = { firstTask: null, position: undefined };
  for await (const paths of scan(dir, { batch: BATCH, except, signal })) {
    const outcomes = await queue.enqueueMany(paths.map(taskOf), { signal });
    for (const [index, outcome] of outcomes.entries()) {
      if ('problem' in outcome) {
        throw new DemoError(`Expected the service to take '${paths[index]}', but: ${outcome.problem.detail}.`);
      }
      submitted = { firstTask: submitted.firstTask ?? outcome.id, position: outcome.position };
    }
    await onFiles(paths);
  }
  return submitted;
}
