import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { transformSync } from '@swc/core';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RunningService, startService } from './support/running-service.js';

const ROOT = join(__dirname, '..');
const CLIENT = `file://${join(ROOT, 'test/dist/packages/client/src/index.js')}`;
const TYPESCRIPT = { swcrc: false, jsc: { target: 'es2022', parser: { syntax: 'typescript' } } } as const;

let service: RunningService;
let folder: string;
beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'waybill-how-to-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.stop();
});

/** What the first program of a guide prints. */
async function printedBy(name: string): Promise<string> {
  const guide = readFileSync(join(ROOT, `docs/how-to/${name}.md`), 'utf8');
  const program = /```ts\n([\s\S]*?)```/.exec(guide)![1]!;
  const source = program.replace("'@waybill/client'", `'${CLIENT}'`).replace('http://localhost:3000', service.url);
  const file = `${name}.mjs`;
  writeFileSync(join(folder, file), transformSync(source, TYPESCRIPT).code);
  return (await promisify(execFile)(process.execPath, [file], { cwd: folder })).stdout;
}

it('the first program of "Write task functions" runs as printed', async () => {
  expect(await printedBy('write-task-functions')).toBe('1\nTaskEnqueued\nTaskClaimed\nTaskSucceeded\n');
});

it('the first program of "Wait for the result of a task" runs as printed', async () => {
  expect(await printedBy('wait-for-a-result')).toBe('49\nfailed no number\n');
});

it('the first program of "Wait within a task" runs as printed', async () => {
  expect(await printedBy('wait-within-a-task')).toBe('approved up to 500\n');
});

it('the first program of "Gather submissions into one task" runs as printed', async () => {
  expect(await printedBy('gather-submissions')).toBe('gathered\n[ { order: 1 }, { order: 2 }, { order: 3 } ]\n');
});

it('the first program of "Work in steps" runs as printed', async () => {
  expect(await printedBy('work-in-steps')).toBe(
    [
      'TaskEnqueued ',
      'TaskClaimed download',
      'TaskStepCompleted download',
      'TaskStepCompleted checksum',
      'TaskStepCompleted record',
      'TaskSucceeded ',
      '{ recorded: { bytes: 40, checked: true } }',
      '',
    ].join('\n'),
  );
});
