import type { RunState } from '@waybill/client';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { withFile } from '../archive-ingest/read-file.js';
import { refusalOf } from '../archive-ingest/refusal.js';
import { scan } from '../archive-ingest/scan.js';

/** A file that was chosen, as it was when the tree was made. */
export interface Asset {
  /** Relative to the chosen folder. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The asset tree is a list in this file of the work folder. */
const fileIn = (work: string): string => join(work, 'assets.json');

export const readAssets = async (work: string): Promise<Asset[]> =>
  JSON.parse(await readFile(fileIn(work), 'utf8')) as Asset[];

/** Lists the files of the folder with their sizes and checksums. */
export async function makeAssetTree(_id: string, run: RunState, folder: string, work: string) {
  const assets: Asset[] = [];
  const paths: string[] = [];
  for await (const some of scan(folder, { batch: 1_000, except: work, signal: run.signal })) paths.push(...some);
  for (const path of paths.sort()) {
    run.check();
    assets.push({ path: relative(folder, path), ...(await measured(path, run)) });
    run.progress('files', { end: paths.length, position: assets.length });
  }
  await writeWhole(fileIn(work), JSON.stringify(assets, null, 1));
  return { files: assets.length, bytes: assets.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** The size and the SHA-256 checksum of a file. Throws an error that names the file if it cannot be read. */
export async function measured(path: string, run: RunState): Promise<Omit<Asset, 'path'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    await withFile(path, async (file) => {
      for await (const chunk of file.chunks()) {
        run.check();
        hash.update(chunk);
        bytes += chunk.length;
      }
    });
  } catch (error) {
    run.check();
    throw new Error(refusalOf(error, path)?.message ?? `Expected to read '${path}', but ${String(error)}`);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Writes the file so that a reader finds all of it or nothing, whenever this process is killed. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.part`, text);
  await rename(`${path}.part`, path);
}
