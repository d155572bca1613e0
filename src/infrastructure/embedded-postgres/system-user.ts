import { execFile, type ExecFileException } from 'node:child_process';
import { chown, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { unlessMissing } from './files.js';
import { EmbeddedPostgresError, USE_ANOTHER_SERVER } from './errors.js';

/** The user who runs the server. `{}` is the user of this process; Postgres refuses to run as root. */
export type SystemUser = { readonly uid: number; readonly gid: number } | Record<string, never>;

export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/**
 * The environment variables that the programs need: paths. The server keeps its environment as long as it runs, and
 * database users can read it, so it must not contain this process's passwords and API keys.
 */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];
/** Without these, no program starts on Windows. */
const INHERITED_ON_WINDOWS = ['SystemRoot', 'SystemDrive', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE'];

function environment(): NodeJS.ProcessEnv {
  const names = [...INHERITED, ...INHERITED_ON_WINDOWS].filter((name) => process.env[name] !== undefined);
  // LC_ALL keeps the messages in English.
  return { ...Object.fromEntries(names.map((name) => [name, process.env[name]])), LC_ALL: 'C' };
}

/** Runs a program as the user and returns its exit code (-1 if it could not be run) and its output. */
export function run(program: string, args: readonly string[], user: SystemUser = {}): Promise<Outcome> {
  // The user may not be allowed to enter the current working directory.
  const options = { ...user, cwd: '/', env: environment() };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => resolve(outcomeOf(error, stdout + stderr)));
  });
}

function outcomeOf(error: ExecFileException | null, output: string): Outcome {
  if (error === null) return { code: 0, output };
  return typeof error.code === 'number' ? { code: error.code, output } : { code: -1, output: output + error.message };
}

/**
 * The user for a cluster in `folder`: this process's own or, for root, the owner of an existing folder, else the system
 * user `postgres`, which is created if it is missing.
 */
export async function userFor(folder: string): Promise<SystemUser> {
  if (process.getuid?.() !== 0) return {};
  const owner = await unlessMissing(stat(folder));
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return (await lookUp('postgres')) ?? (await createUser('postgres'));
}

async function lookUp(name: string): Promise<SystemUser | undefined> {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
  return uid.code === 0 && gid.code === 0 ? { uid: Number(uid.output), gid: Number(gid.output) } : undefined;
}

async function createUser(name: string): Promise<SystemUser> {
  await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name]);
  const user = await lookUp(name);
  if (user) return user;
  throw new EmbeddedPostgresError(
    `Expected to create the system user '${name}' because Postgres refuses to run as root, ` +
      `but 'useradd' failed; run as another user, or ${USE_ANOTHER_SERVER}.`,
  );
}

/** Whether the user can reach and enter (or execute) the path. Asks the system itself, so that ACLs count too. */
export async function canEnter(path: string, user: SystemUser): Promise<boolean> {
  return user.uid === undefined || (await run('test', ['-x', path], user)).code === 0;
}

/** Creates a folder that only the user can read. */
export async function makePrivateFolder(path: string, user: SystemUser): Promise<void> {
  await mkdir(path, { mode: 0o700 });
  await give(path, user);
}

export async function give(path: string, user: SystemUser): Promise<void> {
  if (user.uid !== undefined) await chown(path, user.uid, user.gid);
}

/** The topmost folder on the path that the user cannot enter. */
export async function barrierOnTheWayTo(path: string, user: SystemUser): Promise<string | undefined> {
  const parent = dirname(path);
  const above = parent === path ? undefined : await barrierOnTheWayTo(parent, user);
  return above ?? ((await canEnter(path, user)) ? undefined : path);
}
