import { cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** What a build makes, what is installed, and what belongs to no build. */
const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', 'dist', 'coverage', '.git', '.cache', '.waybill']);

/** Copies the sources of the checkout to a new temporary folder, with what is installed linked, so that no build changes the checkout. */
export async function copyOf(checkout: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'waybill-build-'));
  await cp(checkout, copy, { recursive: true, filter: (path) => path === checkout || !LEFT_OUT.has(basename(path)) });
  await linkInstalled(join(checkout, 'node_modules'), join(copy, 'node_modules'));
  await mkdir(join(copy, 'node_modules', '@waybill'));
  for (const name of await readdir(join(copy, 'packages')))
    await symlink(join(copy, 'packages', name), join(copy, 'node_modules', '@waybill', name));
  return copy;
}

async function linkInstalled(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const name of await readdir(from)) if (name !== '@waybill') await symlink(join(from, name), join(to, name));
}
