import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { OF_REGISTRY, type Packages, starterOf } from '../init/starter.js';
import { NotDone, UsageError } from '../problems.js';
import type { Surroundings } from '../session.js';

/** Makes a folder with a worker and a program that sends it tasks. */
export function addInitCommand(program: Command, { stdout }: Surroundings): void {
  program
    .command('init [folder]')
    .description('make a folder that runs: a worker, a program that sends it tasks, a compose file')
    .option('--packages <folder>', "take the packages from the files that 'npm run package' made, instead of from npm")
    .action(async (folder: string | undefined, { packages: from }: { readonly packages?: string }) => {
      const target = resolve(folder ?? '.');
      const packages = from === undefined ? OF_REGISTRY : await packedIn(resolve(from));
      const files = starterOf(nameOf(target), packages);
      await write(target, files);
      stdout.write(`✓ ${Object.keys(files).join(', ')}\n\n${next(folder)}\n`);
    });
}

/** A name as npm takes it. */
const nameOf = (folder: string): string =>
  basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '') || 'waybill-worker';

/** Nothing that is there is written over. */
async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const there = Object.keys(files).filter((name) => existsSync(join(folder, name)));
  if (there.length > 0)
    throw new NotDone(`Expected '${folder}' to have no ${there.join(', ')} yet, but it has; name another folder.`);
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { flag: 'wx' });
}

const PACKED = /^waybill(?:-(cli|client|contracts))?-\d.*\.tgz$/;

async function packedIn(folder: string): Promise<Packages> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  const packages = names.flatMap((name): (readonly [string, string])[] => {
    const found = PACKED.exec(name);
    return found ? [[found[1] ? `@waybill/${found[1]}` : 'waybill', `file:${join(folder, name)}`]] : [];
  });
  if (packages.length === 4) return Object.fromEntries(packages);
  throw new UsageError(
    `error: Expected '${folder}' to have waybill and its cli, client and contracts, but it has ${packages.length} of them; 'npm run package' makes them in a checkout.`,
  );
}

const next = (folder: string | undefined): string =>
  [
    ...(folder === undefined ? [] : [`cd ${folder}`]),
    'npm install',
    'npm run up',
    'npm run worker     # in a second terminal',
    'npm run send       # in a third one',
  ]
    .map((line) => `  ${line}`)
    .join('\n');
