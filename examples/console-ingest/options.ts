import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { scan } from '../archive-ingest/scan.js';
import { DemoError } from '../demo/options.js';
import type { Folders } from './plan.js';

export const HELP = `npm run example:ingest -- <folder> [options]

Ingests a folder as a console does, in eight tasks that wait for each other: lists its files with checksums, makes three
trees of links, copies the files to an archive and verifies every copy, reads their metadata, and cleans up.
Stop it at any moment, or kill it, and run the same command again: it goes on where it was.

  --work PATH   where the trees and the archive are kept (default: below .waybill/ingest)
  --no-worker   leave the tasks to other workers, such as those of Celery (examples/console-celery)
  --help        this text

Starts a service with a database of its own in .waybill, or uses the one that WAYBILL_URL names, with the key in
WAYBILL_API_KEY.`;

/** What to ingest, and whether the program runs the tasks itself. */
export interface Options extends Folders {
  readonly works: boolean;
}

/** Null if help was requested. Throws `DemoError` for a folder that cannot be ingested. */
export async function readOptions(args: readonly string[], dataDir: string): Promise<Options | null> {
  const { values, positionals } = parsed(args);
  if (values.help) return null;
  const folder = await folderOf(positionals);
  const work = resolve(values.work ?? join(dataDir, 'ingest', nameOf(folder)));
  await assertFiles(folder, work);
  return { folder, work, works: !values['no-worker'] };
}

function parsed(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const options = { work: { type: 'string' }, 'no-worker': flag, help: flag } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const [problem] = (error as Error).message.split(/\.( |$)/);
    throw new DemoError(`Expected options as 'npm run example:ingest -- --help' lists them, but: ${problem}.`);
  }
}

async function folderOf([path, more]: readonly string[]): Promise<string> {
  if (path === undefined || more !== undefined) {
    throw new DemoError('Expected one folder to ingest: npm run example:ingest -- <folder>.');
  }
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return await realpath(path);
  throw new DemoError(`Expected a folder to ingest, but '${path}' is ${stats ? 'no folder' : 'missing'}.`);
}

/** Folders of the same name get different work folders. */
const nameOf = (folder: string): string =>
  `${basename(folder)}-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`;

async function assertFiles(folder: string, work: string): Promise<void> {
  for await (const _ of scan(folder, { batch: 1, except: work })) return;
  throw new DemoError(`Expected a folder with files to ingest, but '${folder}' has none.`);
}
