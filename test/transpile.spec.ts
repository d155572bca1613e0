import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '..');
// Inside the repository, so that the compiler is found.
const checkout = join(root, '.cache', `transpile-${process.pid}`);
const output = join(checkout, 'dist/a.js');

beforeEach(async () => {
  for (const folder of ['scripts', 'src', 'dist']) await mkdir(join(checkout, folder), { recursive: true });
  await copyFile(join(root, 'scripts/transpile.mjs'), join(checkout, 'scripts/transpile.mjs'));
  await symlink('/dev/full', output);
  await writeFile(join(checkout, 'src/a.ts'), 'export const a: number = 1;');
});
afterEach(() => rm(checkout, { recursive: true, force: true }));

const transpile = () =>
  spawnSync(process.execPath, [join(checkout, 'scripts/transpile.mjs')], { encoding: 'utf8', env: {} });

it('reports in one sentence that the disk is full, and compiles once there is space', async () => {
  const { status, stderr } = transpile();
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^Expected to write the compiled code, but ENOSPC: .*; free some space, or let this user write to '.*'\.\n$/,
  );
  expect(transpile()).toMatchObject({ status: 0, stderr: '' });
  expect(await readFile(output, 'utf8')).toMatch(/^export const a = 1;/);
});
