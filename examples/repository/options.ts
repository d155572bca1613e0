import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DemoError } from '../demo/options.js';

export interface Folders {
  /** Whose files are submitted. It is only read. */
  readonly folder: string;
  /** Where everything is that the example keeps. */
  readonly work: string;
}

export const HELP = `npm run example:repository -- <folder> [options]

Takes submissions of all five kinds into a repository, made of files of a folder: downloads the files from a local
server, verifies their digests, mints identifiers, writes the records, and mails a report of each submission.
Stop it at any moment, or kill it, and run the same command again: it goes on where it was.

  --work PATH   where files, identifiers and mails are kept (default: below .waybill/repository)
  --help        this text

Starts a service with a database of its own in .waybill, or in the Postgres that DATABASE_URL names.`;

/** Null if help was requested. Throws `DemoError` for what is no folder. */
export async function readOptions(args: readonly string[], dataDir: string): Promise<Folders | null> {
  const { values, positionals } = parsed(args);
  if (values.help) return null;
  const folder = await folderOf(positionals);
  const name = `${basename(folder)}-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`;
  return { folder, work: resolve(values.work ?? join(dataDir, 'repository', name)) };
}

function parsed(args: readonly string[]) {
  const options = { work: { type: 'string' }, help: { type: 'boolean', default: false } } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const [problem] = (error as Error).message.split(/\.( |$)/);
    throw new DemoError(`Expected options as 'npm run example:repository -- --help' lists them, but: ${problem}.`);
  }
}

async function folderOf([path, more]: readonly string[]): Promise<string> {
  if (path === undefined || more !== undefined)
    throw new DemoError('Expected one folder to submit: npm run example:repository -- <folder>.');
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return await realpath(path);
  throw new DemoError(`Expected a folder to submit, but '${path}' is ${stats ? 'no folder' : 'missing'}.`);
}
