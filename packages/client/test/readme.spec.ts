import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { transformSync } from '@swc/core';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { built } from './support/built.js';
import { claimedTask, SETTLE, StubWork } from './support/stub-work.js';

const README = readFileSync(join(__dirname, '../README.md'), 'utf8');
const EXAMPLE = /```ts\n([\s\S]*?)```/.exec(README)![1]!;

const TYPESCRIPT = { swcrc: false, jsc: { target: 'es2022', parser: { syntax: 'typescript' } } } as const;

let work: StubWork;
let folder: string;

beforeEach(async () => {
  work = await StubWork.start();
  folder = mkdtempSync(join(tmpdir(), 'waybill-readme-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await work.service.close();
});

it('the first example of the README runs as printed', async () => {
  const event = (type: string): string =>
    `data: ${JSON.stringify({ position: '2', type, recordedAt: 'now', data: {} })}\n\n`;
  work.service
    .on('PUT /v1/queues/mail', { body: {} })
    .on('POST /v1/queues/mail/tasks', ({ body }) => {
      work.offer(claimedTask(body.id, { payload: body.payload }));
      work.service.on(`GET /v1/tasks/${body.id}/history`, {
        body: { items: [{ position: '1', recordedAt: 'then', type: 'TaskEnqueued', data: {} }] },
      });
      return { status: 201, body: { id: body.id, status: 'enqueued' } };
    })
    .on('GET /v1/events/stream', async () => {
      await work.service.received(SETTLE);
      return { headers: { 'content-type': 'text/event-stream' }, body: event('TaskSucceeded') };
    });
  const source = EXAMPLE.replace("'@waybill/client'", `'file://${built('src/index.ts')}'`);
  expect(source).not.toBe(EXAMPLE);
  const { code } = transformSync(source.replace('http://localhost:3000', work.service.url), TYPESCRIPT);
  writeFileSync(join(folder, 'example.mjs'), code);
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'example.mjs')]);
  expect(stdout).toBe('then TaskEnqueued\nnow TaskSucceeded\n');
  expect(work.settlements.flat()[0]!.verdict).toEqual({ type: 'succeed', result: 'sent to ada@example.org' });
});

it('the first example of the README is short', () => {
  expect(EXAMPLE.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(12);
});

it('the README of the repository shows the same example', () => {
  const whole = readFileSync(join(__dirname, '../../../README.md'), 'utf8');
  expect(/```ts\n([\s\S]*?)```/.exec(whole)![1]).toBe(EXAMPLE);
});
