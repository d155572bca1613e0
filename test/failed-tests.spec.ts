import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'failed-tests-'));

/** What the script says of a run with these results. */
function printed(testResults: readonly object[], script = 'failed-tests'): string {
  const file = join(folder, 'tests.json');
  writeFileSync(file, JSON.stringify({ testResults }));
  return execFileSync('node', [`scripts/${script}.mjs`, join(folder, 'none.json'), file], { encoding: 'utf8' });
}

const spec = (name: string, assertionResults: readonly object[], message = ''): object => ({
  name: resolve(`test/${name}.spec.ts`),
  message,
  assertionResults,
});

describe('the list of failed tests', () => {
  it('names each by its file and title, with the beginning of what it says', () => {
    const lines = Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n');
    const failed = {
      status: 'failed',
      fullName: 'a queue stays',
      failureMessages: [`\u001B[31mError\u001B[39m: x\n${lines}`],
    };
    const text = printed([
      spec('queue', [failed, { status: 'passed', fullName: 'a queue goes', failureMessages: [] }]),
    ]);
    expect(text).toContain('failed: test/queue.spec.ts › a queue stays\n  Error: x\n  line 0\n');
    expect(text).not.toMatch(/a queue goes|line 20/);
  });

  it('names a file that does not run', () => {
    expect(printed([spec('broken', [], 'Cannot find module')])).toBe(
      '\nfailed: test/broken.spec.ts\n  Cannot find module\n',
    );
  });

  it('is empty where all passed, or nothing ran', () => {
    expect(printed([])).toBe('');
  });
});

it('the list of slow spec files has the ten slowest, the slowest first', () => {
  const took = (seconds: number) => ({
    name: resolve(`test/${seconds}.spec.ts`),
    startTime: 0,
    endTime: seconds * 1_000,
  });
  const lines = printed([3, 12, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11].map(took), 'slowest-specs').trim().split('\n');
  expect(lines.map((line) => line.trim())).toEqual(
    [12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((seconds) => `${seconds} s  test/${seconds}.spec.ts (tests)`),
  );
});
