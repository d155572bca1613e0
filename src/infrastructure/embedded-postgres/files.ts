import { lstat, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from './errors.js';

/** Whether anything is at the path, even a broken link. */
export async function exists(path: string): Promise<boolean> {
  return (await unlessMissing(lstat(path))) !== undefined;
}

/** The text of the file; undefined if it does not exist. */
export function readIfExists(path: string): Promise<string | undefined> {
  return unlessMissing(readFile(path, 'utf8'));
}

/** The outcome; undefined if it failed because a path does not exist. */
export async function unlessMissing<T>(outcome: Promise<T>): Promise<T | undefined> {
  try {
    return await outcome;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/**
 * Creates the folder and those above it. Not with `recursive`: where the system refuses every folder (below /proc),
 * Node would try forever.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  try {
    await mkdir(path);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!(await isFolder(path))) throw error;
  }
}

const isFolder = async (path: string): Promise<boolean> => (await unlessMissing(stat(path)))?.isDirectory() ?? false;

/** Renames a finished folder to its final name. If another process was faster, its folder is used. */
export async function moveIntoPlace(staging: string, target: string): Promise<string> {
  try {
    await rename(staging, target);
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'EPERM')) throw error;
    await rm(staging, { recursive: true, force: true });
  }
  return target;
}
