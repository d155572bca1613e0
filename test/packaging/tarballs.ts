import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

export const ROOT = resolve(__dirname, '../..');

/**
 * A person's environment: without the variables that Jest, and the npm that runs it, have set for themselves and for
 * this checkout.
 */
export const ENV = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(package|lifecycle|command|config_local_prefix)|NODE_ENV$|INIT_CWD$|DATABASE_URL|EVENT_STORE|WAYBILL_)/.test(
        name,
      ),
  ),
);

/** Runs a program to its end. On failure, its output becomes the error's message. */
export async function run(folder: string, line: readonly [string, ...string[]], env = {}): Promise<string> {
  const [program, ...args] = line;
  const options = { cwd: folder, env: { ...ENV, ...env }, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(program, args, options).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`Expected '${line.join(' ')}' to succeed, but: ${error.stdout}${error.stderr}`);
    },
  );
  return stdout;
}

/** One of the packages in the form in which it would be published. */
export interface Tarball {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs every published package, from a checkout in which nothing is built. */
export async function pack(checkout: string, destination: string): Promise<Tarball[]> {
  await cleanCheckout(checkout);
  return JSON.parse(await run(checkout, ['node', 'scripts/pack.mjs', destination, '--json'])) as Tarball[];
}

/** A clone of the repository after `npm ci`, with the packages that are installed here. */
async function cleanCheckout(folder: string): Promise<void> {
  const known = await run(ROOT, ['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  const files = known
    .split('\0')
    .filter((path) => existsSync(join(ROOT, path)) && /^[^/]+$|^(bin|packages|presets|scripts|src)\//.test(path));
  for (const path of files) await cp(join(ROOT, path), join(folder, path));
  // A package that could not be shared with the root's tools is below the package that needs it.
  for (const place of ['node_modules', 'packages/cli/node_modules'])
    if (existsSync(join(ROOT, place))) await linkPackages(place, folder);
}

async function linkPackages(place: string, checkout: string): Promise<void> {
  await mkdir(join(checkout, place), { recursive: true });
  for (const name of await readdir(join(ROOT, place))) {
    const [here, there] = [join(ROOT, place, name), join(checkout, place, name)];
    // These link to the folders of the workspaces. In the new checkout, they must link to its own.
    if (name === '@waybill') await cp(here, there, { recursive: true, verbatimSymlinks: true });
    else await symlink(here, there);
  }
}
