import { lstat, readFile, rename, rm } from 'node:fs/promises';
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
