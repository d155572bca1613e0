import type { RunState } from '@waybill/client';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Asset, measured, readAssets } from './asset-tree.js';
import { treeIn } from './link-tree.js';

/** A folder in the place of a tape library. */
export const archiveIn = (work: string): string => join(work, 'archive');

/** Copies what the tree links to into the archive, and reads every copy back. Keeps copies that are complete. */
export async function ingestTape(_id: string, run: RunState, work: string) {
  const assets = await readAssets(work);
  let kept = 0;
  for (const [index, asset] of assets.entries()) {
    run.check();
    if (!(await archive(run, work, asset))) kept++;
    run.progress('files', { end: assets.length, position: index + 1 });
  }
  return { verified: assets.length, kept };
}

/** Whether the copy is new. */
async function archive(run: RunState, work: string, asset: Asset): Promise<boolean> {
  const copy = join(archiveIn(work), asset.path);
  if (await isCopy(run, copy, asset)) return false;
  const part = `${copy}.part`;
  await mkdir(dirname(copy), { recursive: true });
  const from = createReadStream(join(treeIn(work, 'tape'), asset.path));
  await pipeline(from, createWriteStream(part), { signal: run.signal });
  if (!(await isCopy(run, part, asset))) {
    await rm(part);
    throw new Error(
      `Expected '${asset.path}' to have the checksum ${asset.sha256.slice(0, 12)}… of the asset tree, but it has changed since`,
    );
  }
  await rename(part, copy);
  return true;
}

/** A copy that is missing or unreadable is none. */
async function isCopy(run: RunState, path: string, { sha256 }: Asset): Promise<boolean> {
  const found = await measured(path, run).catch(() => null);
  run.check();
  return found?.sha256 === sha256;
}
