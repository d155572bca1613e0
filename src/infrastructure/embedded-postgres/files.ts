import { lstat, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from './trouble.js';

/** Whether something is at the path, be it a link that leads nowhere. */
export async function exists(path: string): Promise<boolean> {
  return (await unlessMissing(lstat(path))) !== undefined;
}

/** The text of the file, or nothing when there is no such file. */
export function readIfExists(path: string): Promise<string | undefined> {
  return unlessMissing(readFile(path, 'utf8'));
}

/** The outcome, or nothing when it failed because a path does not exist. */
export async function unlessMissing<T>(outcome: Promise<T>): Promise<T | undefined> {
  try {
    return await outcome;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** Makes the folder and those above it. Not by `recursive`: where the system makes none (below /proc), Node would try for ever. */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  try {
    await mkdir(path);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!(await isFolder(path))) throw error;
  }
}

const isFolder = async (path: string): Promise<boolean> => (await unlessMissing(stat(path)))?.isDirectory() ?? false;

/** Renames a finished folder to its final name; when another process was faster, its folder is used. */
export async function moveIntoPlace(staging: string, target: string): Promise<string> {
  try {
    await rename(staging, target);
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'EPERM')) throw error;
    await rm(staging, { recursive: true, force: true });
  }
  return target;
}
