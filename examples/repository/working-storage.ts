import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DEDICATED_FOLDER } from './folder.js';

/** As if the folder was a disk of its own, so that the example waits for nobody else's files. */
const CAPACITY = 1e9;

/** How full the working storage is, in percent. */
export const gaugeOf = (folder: string) => async (): Promise<number> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  // A file may be gone by now.
  const sizes = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return Math.min(100, (100 * sizes.reduce((sum, size) => sum + size, 0)) / CAPACITY);
};

/** How many jobs have a file system of their own. */
export const dedicatedIn = (folder: string) => async (): Promise<number> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && entry.name === DEDICATED_FOLDER).length;
};
