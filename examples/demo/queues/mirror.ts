import type { NewTask } from '@waybill/client';
import { setTimeout as pause } from 'node:timers/promises';
import type { ArchiveQueue } from './queue.js';

/** As many as fit into a run of the demo. */
const MOST = 40;
const OF_EACH_BATCH = 6;
const COPY_MS = 300;

interface Copy {
  readonly path: string;
  /** How often the mirror is busy before it accepts this file. */
  readonly busy: number;
}

/**
 * Copies some files to a mirror, which stands for any external service: it is busy now and then, and accepts them
 * later.
 */
export const mirror: ArchiveQueue = {
  name: 'archive-mirror',
  shows: 'busy now and then, so it retries',
  description: 'Copies for a mirror that is busy now and then: what fails is retried a little later.',
  policy: {
    onFailure: 'retry',
    retry: { maxAttempts: 4, classes: ['transient'], backoff: { kind: 'exponential', baseMs: 300, capMs: 2_000 } },
    concurrency: { perServer: 3 },
  },
  atStart: [],
  forFiles: (paths, sofar) =>
    paths.slice(0, Math.min(OF_EACH_BATCH, MOST - sofar)).map((path, at) => copyOf({ path, busy: (sofar + at) % 3 })),
  handler: () => async (task, run) => {
    await pause(COPY_MS, null, { signal: run.signal });
    const { path, busy } = task.payload as Copy;
    if (run.attempt <= busy) return run.fail('transient', 'Expected the mirror to take the file, but it is busy');
    return { mirrored: path };
  },
};

const copyOf = (copy: Copy): NewTask => ({ kind: 'copy', payload: copy });
