import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
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

describe('a second try', () => {
  const test = (status: string, fullName: string) => ({ status, fullName, failureMessages: ['an error'] });
  const run = (name: string, ...tests: readonly ReturnType<typeof test>[]) => ({
    ...spec(name, tests, tests.length === 0 ? 'Cannot find module' : ''),
    status: tests.every(({ status }) => status === 'passed') && tests.length > 0 ? 'passed' : 'failed',
  });
  const written = (name: string, testResults: readonly object[]): string => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify({ numPassedTests: 1, numFailedTests: 9, testResults }));
    return file;
  };
  const script = (name: string, ...files: readonly string[]): string =>
    execFileSync('node', [`scripts/${name}.mjs`, ...files], { encoding: 'utf8' });

  it('is of the files that failed, also of those that do not run', () => {
    const file = written('first.json', [run('a', test('failed', 'a stays')), run('b', test('passed', 'b')), run('c')]);
    expect(script('failed-specs', file)).toBe('test/a.spec.ts\ntest/c.spec.ts\n');
    expect(script('failed-specs', join(folder, 'none.json'))).toBe('');
  });

  it('takes the place of the first one of its files, and says of how many', () => {
    const file = written('first.json', [run('a', test('failed', 'a stays')), run('b', test('passed', 'b'))]);
    const again = written('again.json', [run('a', test('passed', 'a stays'))]);
    script('take-second-try', file, again);
    const { testResults, ...counts } = JSON.parse(readFileSync(file, 'utf8'));
    expect(counts).toEqual({ numPassedTests: 2, numFailedTests: 0, numRuntimeErrorTestSuites: 0, secondTry: 1 });
    expect(testResults).toHaveLength(2);
    expect(script('failed-tests', '--as', 'failed at first', file)).toBe('');
  });
});
