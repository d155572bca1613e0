import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '..');
// Inside the repository, so that the compiler is found.
const checkout = join(root, '.cache', `transpile-${process.pid}`);
const output = join(checkout, 'dist/a.js');

beforeEach(async () => {
  for (const folder of ['scripts', 'src', 'dist']) await mkdir(join(checkout, folder), { recursive: true });
  await copyFile(join(root, 'scripts/transpile.mjs'), join(checkout, 'scripts/transpile.mjs'));
  await writeFile(join(checkout, 'src/a.ts'), 'export const a: number = 1;');
});
afterEach(() => rm(checkout, { recursive: true, force: true }));

const transpile = (writing = '') =>
  spawnSync(
    process.execPath,
    [...(writing === '' ? [] : ['--import', writing]), join(checkout, 'scripts/transpile.mjs')],
    {
      encoding: 'utf8',
      env: {},
    },
  );

/** A module that lets files be written by half only, and then does this. */
const writesHalf = (then: string) =>
  `data:text/javascript,${encodeURIComponent(`
    import fs from 'node:fs/promises';
    import { syncBuiltinESMExports } from 'node:module';
    const { writeFile } = fs;
    fs.writeFile = async (file, code) => {
      await writeFile(file, code.slice(0, code.length / 2));
      ${then};
    };
    syncBuiltinESMExports();`)}`;
const DISK_FULL = writesHalf(
  `throw Object.assign(new Error('ENOSPC: no space left on device, write'), { syscall: 'write' })`,
);
const KILLED = writesHalf(`process.kill(process.pid, 'SIGKILL'); await new Promise(() => {})`);

it('reports in one sentence that the disk is full, and compiles once there is space', async () => {
  const { status, stderr } = transpile(DISK_FULL);
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^Expected to write the compiled code, but ENOSPC: .*; free some space, or let this user write to '.*'\.\n$/,
  );
  expect(await readdir(join(checkout, 'dist'))).toEqual([]);
  expect(transpile()).toMatchObject({ status: 0, stderr: '' });
  expect(await readFile(output, 'utf8')).toMatch(/^export const a = 1;/);
});

it('never shows a file by half to others that run it, and replaces it in the next run', async () => {
  await writeFile(output, 'export const a = 0;');
  await utimes(output, 1, 1);

  expect(transpile(KILLED)).toMatchObject({ signal: 'SIGKILL' });
  expect(await readFile(output, 'utf8')).toBe('export const a = 0;');
  expect(transpile()).toMatchObject({ status: 0, stderr: '' });
  expect(await readFile(output, 'utf8')).toMatch(/^export const a = 1;/);
});

it('deletes the SQL whose source is gone, because a program installs all that it finds', async () => {
  await writeFile(join(checkout, 'src/kept.sql'), 'select 1');
  await writeFile(join(checkout, 'src/gone.sql'), 'select 2');
  expect(transpile()).toMatchObject({ status: 0 });
  await rm(join(checkout, 'src/gone.sql'));

  expect(transpile()).toMatchObject({ status: 0, stderr: '' });
  expect(await readdir(join(checkout, 'dist'))).toEqual(['a.js', 'kept.sql']);
});
