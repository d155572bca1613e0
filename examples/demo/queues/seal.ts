import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ArchiveQueue } from './queue.js';

const MOST = 6;
/** Slow enough to watch. */
const STEP_MS = 400;
/** The most files of a folder to look at. */
const FILES = 1_000;

const STEPS = ['list', 'measure', 'digest', 'sign'] as const;

/** What a step knows, and what it adds for later steps. */
interface Sealed {
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  readonly digest: string;
}

/**
 * Seals some folders, one at a time in the whole cluster, step by step. Completed steps are kept when a worker dies.
 */
export const seal: ArchiveQueue = {
  name: 'archive-seal',
  shows: 'four steps each, one at a time',
  description: 'Folders to seal, one at a time, in four steps; what is done of one is not done again.',
  policy: { steps: [...STEPS], concurrency: 'serial', onFailure: 'retry' },
  atStart: [],
  forFiles: (paths, sofar) =>
    sofar < MOST && paths[0] ? [{ kind: 'folder', payload: { folder: dirname(paths[0]) } }] : [],
  handler: () => async (task, run) => {
    const { folder } = task.payload as { readonly folder: string };
    const sealed = await sealOf(folder);
    // A task that was begun earlier continues with its next step.
    for (const step of STEPS.slice(STEPS.indexOf(run.step as (typeof STEPS)[number]))) {
      await pause(STEP_MS, null, { signal: run.signal });
      await run.completeStep(step, step === 'sign' ? { result: { ...sealed } } : {});
    }
  },
};

async function sealOf(folder: string): Promise<Sealed> {
  const hash = createHash('sha256');
  let [files, bytes] = [0, 0];
  for await (const entry of await opendir(folder)) {
    // The catalogue's queue reports files that cannot be read.
    const size = entry.isFile() ? await stat(join(folder, entry.name)).then(sizeOf, () => null) : null;
    if (size === null) continue;
    bytes += size;
    hash.update(entry.name);
    if (++files === FILES) break;
  }
  return { folder, files, bytes, digest: hash.digest('hex') };
}

const sizeOf = ({ size }: Stats): number => size;
