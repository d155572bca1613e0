import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { runCli } from '../support/run-cli.js';
import { type RunningService, startService } from '../support/running-service.js';

const ROOT = join(import.meta.dirname, '../..');

let service: RunningService;
let folder: string;
const running: ChildProcess[] = [];
beforeAll(async () => {
  service = await startService();
  folder = await mkdtemp(join(tmpdir(), 'waybill-init-'));
});
afterEach(() => running.splice(0).forEach((child) => child.kill('SIGKILL')));
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const init = (args: string) => runCli(service.url, `init ${args}`);
const read = (...path: readonly string[]) => readFile(join(folder, ...path), 'utf8');

it('makes a folder whose worker does what its other program sends', async () => {
  const made = await init(`'${join(folder, 'My Work')}'`);
  expect([made.code, made.err, made.out]).toEqual([0, '', expect.stringContaining('npm run worker')]);
  const own = join(folder, 'My Work');
  expect((await readdir(own)).sort()).toEqual(
    ['.gitignore', 'README.md', 'compose.yml', 'package.json', 'send.mjs', 'worker.mjs'].sort(),
  );
  // As after `npm install`.
  await symlink(join(ROOT, 'node_modules'), join(own, 'node_modules'));
  const env = { ...process.env, WAYBILL_URL: service.url };
  const worker = spawn(process.execPath, ['worker.mjs'], { cwd: own, env, stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(worker);
  await once(worker.stdout, 'data');
  const { stdout } = await promisify(execFile)(process.execPath, ['send.mjs'], { cwd: own, env });
  expect(Array.from(stdout.matchAll(/Z (\w+)$/gm), ([, type]) => type)).toEqual([
    'TaskEnqueued',
    'TaskClaimed',
    'TaskSucceeded',
  ]);
  const ended = once(worker, 'exit');
  worker.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

it('names what it needs: versions of npm, or packed files', async () => {
  await init(`'${join(folder, 'of-npm')}'`);
  const version = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')).version as string;
  const ofNpm = JSON.parse(await read('of-npm', 'package.json'));
  expect(ofNpm).toMatchObject({ name: 'of-npm', dependencies: { waybill: version, '@waybill/client': version } });
  expect(ofNpm.overrides).toBeUndefined();
  expect(ofNpm.allowScripts).toMatchObject({ '@scarf/scarf': false, protobufjs: false });
  const packed = await mkdtemp(join(folder, 'packed-'));
  const wrong = await init(`'${join(folder, 'x')}' --packages '${packed}'`);
  expect([wrong.code, wrong.err, existsSync(join(folder, 'x'))]).toEqual([
    2,
    expect.stringContaining('npm run package'),
    false,
  ]);
  for (const name of ['', '-cli', '-client', '-contracts'])
    await writeFile(join(packed, `waybill${name}-${version}.tgz`), '');
  await init(`'${join(folder, 'x')}' --packages '${packed}'`);
  expect(JSON.parse(await read('x', 'package.json'))).toMatchObject({
    dependencies: { waybill: `file:${packed}/waybill-${version}.tgz` },
    overrides: { '@waybill/cli': `file:${packed}/waybill-cli-${version}.tgz`, '@waybill/client': '$@waybill/client' },
  });
});

it('has a compose file whose services run what the folder has', async () => {
  await init(`'${join(folder, 'composed')}'`);
  const { services } = load(await read('composed', 'compose.yml')) as { services: Record<string, any> };
  expect(Object.keys(services)).toEqual(['postgres', 'waybill', 'worker']);
  expect(services['worker'].command).toEqual(['node', 'worker.mjs']);
  expect(services['waybill'].environment.DATABASE_URL).toContain('@postgres:5432/waybill');
});

it('writes over nothing', async () => {
  const own = await mkdtemp(join(folder, 'there-'));
  await writeFile(join(own, 'worker.mjs'), 'mine');
  expect(await init(`'${own}'`)).toMatchObject({ code: 1, out: '', err: expect.stringContaining('no worker.mjs yet') });
  expect(await readdir(own)).toEqual(['worker.mjs']);
});
