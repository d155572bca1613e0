import type { RunState } from '@waybill/client';
import { mkdir, readlink, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readAssets } from './asset-tree.js';

/** What each tree is for. A link tree has a link for every asset, for one of the works that follow. */
export type Tree = 'tape' | 'metadata' | 'proxy';

export const treeIn = (work: string, tree: Tree): string => join(work, 'links', tree);

/** Links every asset into the tree. Keeps the links that an interrupted run left. */
export async function makeLinkTree(_id: string, run: RunState, folder: string, work: string, tree: Tree) {
  const assets = await readAssets(work);
  let kept = 0;
  for (const [index, { path }] of assets.entries()) {
    run.check();
    if (!(await link(join(folder, path), join(treeIn(work, tree), path)))) kept++;
    run.progress('links', { end: assets.length, position: index + 1 });
  }
  return { links: assets.length, kept };
}

/** Removes the tree. The files that it links to stay. */
export async function removeLinkTree(_id: string, _run: RunState, work: string, tree: Tree) {
  await rm(treeIn(work, tree), { recursive: true, force: true });
}

/** Whether the link is new. */
async function link(target: string, path: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await symlink(target, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const found = await readlink(path);
    if (found === target) return false;
    throw new Error(`Expected '${path}' to link to '${target}', but it links to '${found}'`);
  }
}
