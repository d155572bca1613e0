import type { Dir, Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders that do not belong to the archive. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', '.waybill']);

export interface ScanOptions {
  /** The number of paths in one batch. */
  readonly batch: number;
  /** A folder to skip, besides every `.git` and `.waybill`. */
  readonly except?: string;
  readonly signal?: AbortSignal;
}

/**
 * Yields the paths of all files below a folder, in batches, without following symbolic links. Holds one batch and the
 * folders still to be read, however many files there are. Yields a folder that cannot be listed in place of its files,
 * so that its failure is recorded like any other.
 */
export async function* scan(root: string, { batch, except, signal }: ScanOptions): AsyncGenerator<string[]> {
  let paths: string[] = [];
  for await (const path of filesBelow(root, except)) {
    signal?.throwIfAborted();
    if (paths.push(path) < batch) continue;
    yield paths;
    paths = [];
  }
  if (paths.length > 0) yield paths;
}

async function* filesBelow(root: string, except: string | undefined): AsyncGenerator<string> {
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await listable(folder);
    if (entries === null) yield folder;
    else yield* filesIn(folder, entries, (path, name) => path !== except && !SKIPPED.has(name) && folders.push(path));
  }
}

async function* filesIn(
  folder: string,
  entries: AsyncIterable<Dirent>,
  enter: (path: string, name: string) => void,
): AsyncGenerator<string> {
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) enter(path, entry.name);
    else if (entry.isFile()) yield path;
  }
}

async function listable(folder: string): Promise<Dir | null> {
  try {
    return await opendir(folder, { bufferSize: 256 });
  } catch {
    return null;
  }
}
