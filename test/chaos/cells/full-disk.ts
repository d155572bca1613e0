import { execFile } from 'node:child_process';
import { mkdtemp, rm, rmdir, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lasting } from '../../support/lasting.js';
import { promisify } from 'node:util';
import { OwnPostgres } from '../own-postgres.js';
import type { Cell } from './cell.js';

const MEGABYTES = 400;

const runs = promisify(execFile);

/** Postgres keeps everything on a small file system of its own, which is full again and again. Needs root to mount. */
export async function fullDisk(): Promise<Cell> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-disk-'));
  await runs('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m`, 'waybill-chaos', folder]);
  const ballast = join(folder, 'ballast');
  const empty = (): Promise<void> => rm(ballast, { force: true });
  return {
    postgres: () => OwnPostgres.start(folder),
    fault: async ({ postgres }) => {
      await lasting(500);
      await fill(ballast, folder);
      await isFull(postgres);
      await lasting(1_000);
      await empty();
      // It gives up when it cannot write its log.
      await postgres.ensureRunning();
    },
    undo: empty,
    close: async () => {
      await runs('umount', [folder]);
      await rmdir(folder);
    },
  };
}

/** Postgres writes into the files that it has until it needs one more. */
const isFull = (postgres: OwnPostgres): Promise<void> =>
  postgres.query('create table too_large as select repeat(n::text, 100) from generate_series(1, 1000000) as n').then(
    () => {
      throw new Error(`Expected ${MEGABYTES} MB to be full, but Postgres found room`);
    },
    () => undefined,
  );

async function fill(file: string, folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  await writeFile(file, Buffer.alloc(bavail * bsize)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOSPC') throw error;
  });
}
