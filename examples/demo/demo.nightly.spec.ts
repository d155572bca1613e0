import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Summary } from './summary.js';

const ROOT = join(__dirname, '../..');
const PIXEL = Buffer.from('R0lGODlhAwACAIAAAAAAAP///ywAAAAAAwACAAACAoRRADs=', 'base64');

// Not mkdtemp(): as root, Postgres runs as another user, which must be able to enter the folder.
const home = join(tmpdir(), `waybill-demo-${randomBytes(6).toString('hex')}`);
const files = join(home, 'files');
const dataDir = join(home, 'data');

beforeAll(async () => {
  await mkdir(join(files, 'sub'), { recursive: true });
  await mkdir(join(files, '.git'));
  await writeFile(join(files, 'good.json'), '{"a": 1}\n');
  await writeFile(join(files, 'sub', 'copy.json'), '{"a": 1}\n');
  await writeFile(join(files, 'bad.json'), '{\n  // a comment\n}\n');
  await writeFile(join(files, 'no.png'), PIXEL);
  await writeFile(join(files, 'pixel.gif'), PIXEL);
  await writeFile(join(files, 'notes'), 'one\ntwo\n');
  await writeFile(join(files, '.git', 'HEAD'), 'not of the archive');
  // A name that is not UTF-8, so no program can open what it reads.
  await writeFile(Buffer.concat([Buffer.from(`${files}/bad`), Buffer.from([0xff]), Buffer.from('.txt')]), '');
});
afterAll(() => rm(home, { recursive: true, force: true }));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const { DATABASE_URL: _, ...inherited } = process.env;
const OPTIONS = { cwd: ROOT, env: { ...inherited, WAYBILL_DATA_DIR: dataDir } };
const PROGRAM = join(ROOT, 'scripts/example.mjs');
const ONE_WORKER = ['--workers', '1'];

const demo = (...args: readonly string[]): Promise<Outcome> => demoIn(dataDir, ...args);

function demoIn(folder: string, ...args: readonly string[]): Promise<Outcome> {
  const options = { ...OPTIONS, env: { ...OPTIONS.env, WAYBILL_DATA_DIR: folder } };
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, 'demo', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
    );
  });
}

async function summaryOf(...args: readonly string[]): Promise<Summary> {
  const { code, stdout, stderr } = await demo('--once', '--json', '--port', '0', '--dir', files, ...args);
  expect([code, stderr.includes('Error')]).toEqual([0, false]);
  // An earlier run may have left a task with a key, which is no news to whoever runs the demo again.
  expect(stderr).not.toContain('Expected to add a task with key');
  return JSON.parse(stdout) as Summary;
}

/** The warnings and errors of the service. */
const troubles = async (): Promise<string[]> =>
  (await readFile(join(dataDir, 'service.log'), 'utf8')).split('\n').filter((line) => /WARN|ERROR/.test(line));

describe('npm run demo', () => {
  it('catalogues a folder, refuses malformed files, and does nothing twice', async () => {
    const first = await summaryOf();
    expect(first).toMatchObject({
      folder: files,
      tasks: 7,
      new: 4,
      changed: 0,
      unchanged: 0,
      failed: 3,
      failuresByClass: { business: 3 },
      catalogue: { files: 4, duplicates: { groups: 1, files: 1, bytes: 9 } },
    });
    expect(first.failures.map(({ message }) => message).sort()).toEqual([
      "Expected 'bad.json' to be JSON, but on line 2, column 3 there is '/' where a property name or '}' should be",
      "Expected 'bad\uFFFD.txt' to be readable, but its name is not UTF-8",
      "Expected 'no.png' to be a PNG image, but it begins with the bytes 4749463839610300",
    ]);
    expect(first.history?.events.map(({ type }) => type)).toEqual([
      'TaskEnqueued',
      'TaskClaimed',
      'TaskAttemptFailed',
      'TaskFailed',
    ]);
    expect(first.peakMemoryBytes.workers).toHaveLength(2);
    const minute = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/);
    // Of six copies every third is accepted at once, the next one on the second attempt, the last one on the third.
    expect(first.queues).toMatchObject([
      { queue: 'archive-ingest', succeeded: 4, failed: 3, retries: 0, open: 0, nextAt: null },
      { queue: 'archive-mirror', succeeded: 6, failed: 0, retries: 6, open: 0 },
      { queue: 'archive-seal', succeeded: 1, failed: 0, retries: 0, open: 0 },
      { queue: 'archive-report', failed: 0, open: 1, nextAt: minute },
    ]);

    await writeFile(join(files, 'bad.json'), '{"mended": true}');
    await writeFile(join(files, 'notes'), 'one\ntwo\nthree\n');
    await utimes(join(files, 'good.json'), 1_000, 1_000);
    expect(await summaryOf(...ONE_WORKER)).toMatchObject({
      tasks: 7,
      new: 1,
      changed: 1,
      unchanged: 3,
      failed: 2,
      peakMemoryBytes: { workers: [expect.any(Number)] },
    });
    expect(await troubles()).toEqual([]);
  }, 300_000);

  it('starts anew with --fresh, takes a free port if its own is in use, runs until it is interrupted, and leaves no process behind', async () => {
    const taken = await listening();
    const { port } = taken.address() as { port: number };
    const child = spawn(
      process.execPath,
      [PROGRAM, 'demo', '--fresh', '--port', String(port), '--dir', files],
      OPTIONS,
    );
    const started = await textUntil(child.stdout, 'Folder');
    // Printed before any work, so that there is something to look at from the beginning.
    expect(started).toMatch(
      /Service .*\n.* Dashboard http:\/\/127\.0\.0\.1:\d+\/dashboard\/\n.* Queues .*\n.* Workers /,
    );
    const { dashboard } = /Dashboard (?<dashboard>\S+)/.exec(started)!.groups!;
    expect((await fetch(dashboard!)).status).toBe(200);
    const shown = started + (await textUntil(child.stdout, 'Ctrl-C'));
    taken.close();
    expect(shown).toMatch(new RegExp(`Service +http://127\\.0\\.0\\.1:\\d+, because port ${port} is taken`));
    expect(shown).toMatch(/Outcome +5 new · 0 changed · 0 unchanged · 2 failed/);
    expect(shown).toContain('One task’s history');
    expect(shown).toMatch(
      /Queues +archive-ingest +5 succeeded · 2 failed · .*\n +archive-mirror +6 succeeded · 6 retries · /,
    );
    expect(shown).toMatch(/\n +archive-seal +1 succeeded · .*\n +archive-report +.*the next one at \d\d:\d\d UTC/);
    const { url } = /(?<url>http:\/\/\S+)\/docs/.exec(shown)!.groups!;
    expect((await fetch(`${url}/healthz/live`)).status).toBe(200);
    const workers = [...shown.matchAll(/-\d+ \((\d+)\)/g)].map(([, pid]) => Number(pid));
    expect(workers.map(isAlive)).toEqual([true, true, true]);
    expect(await troubles()).toEqual([]);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(workers.map(isAlive)).toEqual([false, false, false]);
    expect(existsSync(join(dataDir, 'postgres/data/PG_VERSION'))).toBe(true);
    expect(existsSync(join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false);
  });

  it('can be interrupted, and the next run continues', async () => {
    const many = join(home, 'many');
    await mkdir(many);
    await Promise.all(Array.from({ length: 1_500 }, (_, n) => writeFile(join(many, `${n}.txt`), `file ${n}`)));
    // A sparse file takes hours to read and no space. So the run cannot end before the signal, however fast the rest
    // is.
    const endless = join(many, 'endless');
    await writeFile(endless, '');
    await truncate(endless, 2 ** 40);
    const child = spawn(
      process.execPath,
      [PROGRAM, 'demo', '--once', '--port', '0', ...ONE_WORKER, '--dir', many],
      OPTIONS,
    );
    await textUntil(child.stdout, 'Folder');
    child.kill('SIGTERM');
    await truncate(endless);
    expect(await once(child, 'exit')).toEqual([130, null]);
    await rm(endless);
    const { code, stdout } = await demo('--once', '--json', '--port', '0', ...ONE_WORKER, '--dir', many);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { failed: 0, catalogue: { files: 1_500 } }]);
  }, 300_000);

  it('prints its options, and a wrong option in one sentence', async () => {
    expect((await demo('--help')).stdout).toContain('--dir PATH');
    expect(await demo('--frsh')).toEqual({
      code: 1,
      stdout: '',
      stderr: "Expected options as 'npm run demo -- --help' lists them, but: Unknown option '--frsh'.\n",
    });
    expect(await demo('--dir', join(home, 'nowhere'))).toMatchObject({
      code: 1,
      stderr: `Expected --dir to name a folder, but '${join(home, 'nowhere')}' is missing.\n`,
    });
  });
});

describe('the demo reports an unusable data folder in one sentence', () => {
  const told = async (folder: string): Promise<string> => {
    const { code, stderr } = await demoIn(folder, '--once', '--port', '0', '--dir', files);
    expect(code).toBe(1);
    return stderr;
  };

  it.each([
    ['below a file', join(files, 'good.json', 'data')],
    ['where the system makes no folders', '/proc/nowhere'],
  ])('%s', async (_where, folder) => {
    expect(await told(folder)).toBe(
      `Expected to write the log to '${folder}/service.log', but no folder can be made there; ` +
        'set WAYBILL_DATA_DIR to another folder.\n',
    );
  });

  it('with a log that cannot be opened', async () => {
    const folder = join(home, 'closed');
    await mkdir(join(folder, 'service.log'), { recursive: true });
    expect(await told(folder)).toMatch(
      /^Expected to write the log to '.*', but EISDIR: .*; set WAYBILL_DATA_DIR to another folder\.\n$/,
    );
  });
});

async function textUntil(stream: Readable, words: string): Promise<string> {
  let text = '';
  // Left open, because the process keeps writing to it.
  for await (const part of stream.iterator({ destroyOnReturn: false }))
    if ((text += String(part)).includes(words)) return text;
  throw new Error(`Expected '${words}' before the end, but got: ${text}`);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const listening = (): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
