import { expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JobFolder } from './folder.js';

it('removes the folder of a job although its worker still writes into it', async () => {
  const folder = new JobFolder(join(await mkdtemp(join(tmpdir(), 'waybill-folder-')), 'job-0'));
  await folder.make();
  let isWriting = true;
  const writes = (async () => {
    for (let file = 0; isWriting && file < 500; file++)
      await writeFile(join(folder.files, `${file}`), '').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        isWriting = false;
      });
  })();
  await Promise.all([writes, folder.remove()]);
  expect(existsSync(folder.path)).toBe(false);
});
