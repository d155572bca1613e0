import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { built } from '../support/built.js';
import { CLAIMS, claimedTask, StubWork } from '../support/stub-work.js';

const PROCESS = built('test/support/worker-process.ts');

let work: StubWork;
let child: ChildProcess;

beforeEach(async () => {
  work = await StubWork.start();
});
afterEach(async () => {
  child.kill('SIGKILL');
  await work.service.close();
});

/** Runs a worker in a process of its own. Yields its lines one by one. */
function start(manner: string): AsyncIterator<string> {
  child = spawn(process.execPath, [PROCESS, work.service.url, manner], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
}

const ended = (): Promise<unknown> =>
  new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));

const line = async (lines: AsyncIterator<string>): Promise<string> => (await lines.next()).value;

it.each(['SIGTERM', 'SIGINT'] as const)('%s stops the worker, and the process ends by itself', async (signal) => {
  work.offer(claimedTask('a'));
  const lines = start('obeys');
  expect(await line(lines)).toBe('began a');
  const exit = ended();
  child.kill(signal);
  expect(await line(lines)).toBe('stopped {"returned":["a"],"abandoned":[]}');
  expect(await exit).toBe(0);
  expect(work.verdicts).toEqual([['a', { type: 'return' }]]);
});

it('SIGTERM lets a handler finish', async () => {
  work.offer(claimedTask('a'));
  const lines = start('ends');
  expect(await line(lines)).toBe('began a');
  const exit = ended();
  child.kill('SIGTERM');
  expect(await line(lines)).toBe('stopped {"returned":[],"abandoned":[]}');
  expect(await exit).toBe(0);
  expect(work.verdicts).toEqual([['a', { type: 'succeed', result: 'done' }]]);
});

it('a second SIGTERM ends a process whose handler does not finish', async () => {
  work.offer(claimedTask('a'));
  const lines = start('ignores');
  expect(await line(lines)).toBe('began a');
  const exit = ended();
  child.kill('SIGTERM');
  expect(await line(lines)).toBe('stopped {"returned":[],"abandoned":["a"]}');
  child.kill('SIGTERM');
  expect(await exit).toBe('SIGTERM');
  expect(work.verdicts).toEqual([]);
});

it('a listener that throws surfaces as a bug of the application, and the worker still stops', async () => {
  const lines = start('has a bug');
  await work.service.received(CLAIMS);
  const exit = ended();
  child.kill('SIGTERM');
  expect(await line(lines)).toBe('stopped {"returned":[],"abandoned":[]}');
  expect(await line(lines)).toBe('surfaced a bug of the application');
  expect(await exit).toBe(0);
});
