import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { scan, type ScanOptions } from './scan.js';

let root: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'waybill-scan-')));
  for (const path of ['a.txt', 'b/c.txt', 'b/d/e.txt', '.git/HEAD', 'b/.waybill/f', 'data/g', 'b/data/h']) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await writeFile(join(root, path), path);
  }
  await symlink(join(root, 'a.txt'), join(root, 'link.txt'));
  await symlink(root, join(root, 'b', 'loop'));
});
afterAll(() => rm(root, { recursive: true }));

async function batches(options: ScanOptions): Promise<string[][]> {
  const found: string[][] = [];
  for await (const paths of scan(root, options)) found.push(paths.map((path) => relative(root, path)));
  return found;
}

describe('scan', () => {
  it('finds every file except those of Git and Waybill, and follows no link', async () => {
    expect((await batches({ batch: 100 })).flat().sort()).toEqual([
      'a.txt',
      'b/c.txt',
      'b/d/e.txt',
      'b/data/h',
      'data/g',
    ]);
  });

  it('skips the given folder, and no other of that name', async () => {
    const found = await batches({ batch: 100, except: join(root, 'data') });
    expect(found.flat().sort()).toEqual(['a.txt', 'b/c.txt', 'b/d/e.txt', 'b/data/h']);
  });

  it('returns the files in batches, of which the last is smaller', async () => {
    expect((await batches({ batch: 2 })).map((paths) => paths.length)).toEqual([2, 2, 1]);
  });

  it('reports a folder that cannot be listed', async () => {
    const missing = join(root, 'missing');
    expect(await scan(missing, { batch: 1 }).next()).toEqual({ done: false, value: [missing] });
  });

  it('stops when its signal aborts', async () => {
    const controller = new AbortController();
    const paths = scan(root, { batch: 1, signal: controller.signal });
    await paths.next();
    controller.abort(new Error('enough'));
    await expect(paths.next()).rejects.toThrow('enough');
  });
});
