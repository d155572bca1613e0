import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JobFolder } from './folder.js';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'waybill-folder-'));
});
afterEach(() => rm(home, { recursive: true }));

/** Writes files until the folder is gone. */
async function writeInto({ files }: JobFolder): Promise<void> {
  try {
    for (let n = 0; n < 500; n++) await writeFile(join(files, String(n)), '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

it('removes the folder of a job although its worker still writes into it', async () => {
  const folder = new JobFolder(join(home, 'job-0'));
  await folder.make();
  await Promise.all([writeInto(folder), folder.remove()]);
  expect(existsSync(folder.path)).toBe(false);
});
