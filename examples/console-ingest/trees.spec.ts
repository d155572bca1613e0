import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunState } from '@waybill/client';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeAssetTree, readAssets } from './asset-tree.js';
import { makeLinkTree } from './link-tree.js';
import { readOptions } from './options.js';
import { archiveIn, ingestTape } from './tape.js';

const { signal } = new AbortController();
const RUN = { check: () => signal.throwIfAborted(), progress: () => undefined, signal } as unknown as RunState;

let home: string;
let folder: string;
let work: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'waybill-trees-'));
  folder = join(home, 'in');
  work = join(home, 'work');
  await mkdir(folder);
  await writeFile(join(folder, 'a.txt'), 'a');
  await writeFile(join(folder, 'b.txt'), 'b');
  await makeAssetTree('', RUN, folder, work);
  await makeLinkTree('', RUN, folder, work, 'tape');
});
afterEach(() => rm(home, { recursive: true }));

describe('what an interrupted attempt left', () => {
  it('an asset has its size and checksum', async () => {
    const [first] = await readAssets(work);
    expect(first).toEqual({
      path: 'a.txt',
      bytes: 1,
      sha256: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
    });
  });

  it('links are kept', async () => {
    await rm(join(work, 'links', 'tape', 'b.txt'));
    expect(await makeLinkTree('', RUN, folder, work, 'tape')).toEqual({ links: 2, kept: 1 });
  });

  it('complete copies are kept, and others are made anew', async () => {
    await mkdir(archiveIn(work));
    await writeFile(join(archiveIn(work), 'a.txt'), 'a');
    await writeFile(join(archiveIn(work), 'b.txt'), 'half');
    expect(await ingestTape('', RUN, work)).toEqual({ verified: 2, kept: 1 });
    expect(await readFile(join(archiveIn(work), 'b.txt'), 'utf8')).toBe('b');
  });

  it('a file that changed after the asset tree was made is not archived', async () => {
    await writeFile(join(folder, 'b.txt'), 'changed');
    await expect(ingestTape('', RUN, work)).rejects.toThrow(
      "Expected 'b.txt' to have the checksum 3e23e8160039… of the asset tree, but it has changed since",
    );
  });
});

describe('the folder', () => {
  const told = (...args: readonly string[]) => readOptions(args, home).then(String, ({ message }: Error) => message);

  it('must be there, and hold files', async () => {
    const empty = join(home, 'empty');
    await mkdir(empty);
    expect(await told()).toBe('Expected one folder to ingest: npm run example:ingest -- <folder>.');
    expect(await told(join(home, 'gone'))).toBe(`Expected a folder to ingest, but '${home}/gone' is missing.`);
    expect(await told(join(folder, 'a.txt'))).toBe(`Expected a folder to ingest, but '${folder}/a.txt' is no folder.`);
    expect(await told(empty)).toBe(`Expected a folder with files to ingest, but '${empty}' has none.`);
  });
});
