import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  acceptanceFiles,
  asJson,
  idsOf,
  report,
  resultsBySource,
  unknownIds,
  unproving,
} from '../../scripts/acceptance-result.mjs';
import { leaveFirstOfEachLine } from '../support/first-of-each-line.mjs';

interface Line {
  readonly id: string;
  readonly source: string;
  readonly text: string;
  readonly shownBy?: 'example';
}

const lines = JSON.parse(readFileSync(join(__dirname, 'lines.json'), 'utf8')) as Line[];

/**
 * One test of each kind. Those that are not run as they are have names that show that they are no tests of this
 * repository.
 */
const TESTS = `
  it('S0-01 proves', () => expect(1).toBe(1));
  it('S0-02 nothing', () => {});
  it['failing']('S0-03 fails', () => { expect(1).toBe(1); expect(1).toBe(2); });
  it['skip']('S0-04 skipped', () => expect(1).toBe(1));
  it['todo']('S0-05 todo');
`;

type Tests = Parameters<typeof unproving>[0];

/** Jest's report on the tests of each file, run in the test environment of this repository, in one worker. */
async function saidByJest(files: Readonly<Record<string, string>>): Promise<readonly Tests[]> {
  const root = join(__dirname, '../..');
  const folder = await mkdtemp(join(tmpdir(), 'waybill-lines-'));
  const config = JSON.stringify({ testEnvironment: join(root, 'test/support/environment.mjs'), rootDir: folder });
  for (const [name, code] of Object.entries(files)) await writeFile(join(folder, name), code);
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const run = spawnSync(process.execPath, [jest, '--runInBand', '--json', '--config', config], { encoding: 'utf8' });
  await rm(folder, { recursive: true });
  const { testResults } = JSON.parse(run.stdout) as { testResults: { assertionResults: Tests }[] };
  return testResults.map(({ assertionResults }) => assertionResults);
}

describe('the acceptance lines', () => {
  it('are complete', () => {
    const counts = ['S0', 'S1', 'S2', 'S3', 'S4'].map((name) => lines.filter(({ source }) => source === name).length);
    expect(counts).toEqual([44, 30, 55, 44, 39]);
    expect(lines).toHaveLength(212);
  });

  it('have some about the past beside them', () => {
    const past = JSON.parse(readFileSync(join(__dirname, 'history/lines.json'), 'utf8')) as Line[];
    for (const { id, source } of past) expect(id.startsWith(`${source}-`)).toBe(true);
    expect(new Set(past.map(({ id }) => id)).size).toBe(past.length);
    expect(past.length).toBeGreaterThanOrEqual(16);
    for (const { id, text } of past)
      expect([id, text]).toEqual([expect.stringMatching(/^[DH]-\d\d$/), expect.stringMatching(/.{10}/)]);
  });

  it('are numbered without a gap and have texts', () => {
    const counters = new Map<string, number>();
    for (const { id, source, text } of lines) {
      counters.set(source, (counters.get(source) ?? 0) + 1);
      expect(id).toBe(`${source}-${String(counters.get(source)).padStart(2, '0')}`);
      expect(text.length).toBeGreaterThan(10);
    }
  });
});

describe('a lane that proves each line once', () => {
  const test = (name: string) => ({ type: 'test', name, children: [] });
  const group = (...children: object[]) => ({ type: 'describeBlock', name: 'S0-09', children });

  const whole = () =>
    group(test('S0-01 a'), group(test('S0-01 b')), group(test('S0-01 S0-02 c'), test('d')), test('S0-02 e'));

  it('runs the first test of each line, wherever it is, and no group without one', () => {
    expect(leaveFirstOfEachLine(whole())).toEqual(group(test('S0-01 a'), group(test('S0-01 S0-02 c'))));
  });
});

describe('the result of the acceptance tests', () => {
  const few = lines.filter(({ id }) => ['S0-01', 'S0-02', 'S0-03', 'S1-01'].includes(id));
  const passed = (title: string) => ({ title, status: 'passed', numPassingAsserts: 2 });
  const failed = (title: string) => ({ title, status: 'failed', numPassingAsserts: 1 });

  it('reads the ids at the beginning of a title', () => {
    expect(idsOf('S0-31 S0-36 a busy key is not selected, see S0-08')).toEqual(['S0-31', 'S0-36']);
    expect(idsOf('S0-31')).toEqual(['S0-31']);
    expect(idsOf('unlike S0-31')).toEqual([]);
    expect(idsOf('S0-31a')).toEqual([]);
    expect(idsOf('H-02 S0-08 a page goes on')).toEqual(['H-02', 'S0-08']);
  });

  it('passes a line when all tests that carry its id passed', () => {
    const tests = [passed('S0-01 a'), passed('S0-02 b'), failed('S0-02 c'), passed('S0-02 d'), passed('other')];
    expect(resultsBySource(few, tests)).toEqual({
      S0: { lines: 3, passing: ['S0-01'], byExamples: 0, failing: ['S0-02'], missing: ['S0-03'] },
      S1: { lines: 1, passing: [], byExamples: 0, failing: [], missing: ['S1-01'] },
    });
  });

  it('counts the lines that an example shows apart', () => {
    const [example] = lines.filter(({ shownBy }) => shownBy === 'example');
    const tests = [passed('S0-01 a'), passed(`${example!.id} b`)];
    const result = report(resultsBySource([...few.slice(0, 1), example!], tests));
    expect(result).toMatch(/all 2 of 2 lines pass: 1 product, 1 examples$/);
    expect(lines.filter(({ shownBy }) => shownBy === 'example')).toHaveLength(19);
  });

  it.each([
    ['was skipped', { status: 'pending' }, 'did not run'],
    ['is a todo', { status: 'todo' }, 'did not run'],
    ['asserts nothing', { numPassingAsserts: 0 }, 'asserts nothing'],
    ['is marked as failing, and fails', { failing: true }, 'is marked as failing'],
    ['failed', { status: 'failed' }, 'failed'],
  ])('counts a line as failing if a test with its id %s', (_, change, why) => {
    const tests = [passed('S0-01 a'), { ...passed('S0-01 S0-02 b'), ...change }, { ...passed('other'), ...change }];
    expect(resultsBySource(few, tests).S0).toMatchObject({ passing: [], failing: ['S0-01', 'S0-02'] });
    expect(unproving(tests)).toEqual([`'S0-01 S0-02 b' ${why}`]);
  });

  it("is read from Jest's report of tests, including the second file that a worker runs", async () => {
    const said = await saidByJest({ 'one.spec.js': TESTS, 'two.spec.js': TESTS });
    const proveNothing = [
      "'S0-02 nothing' failed",
      "'S0-03 fails' is marked as failing",
      "'S0-04 skipped' did not run",
      "'S0-05 todo' did not run",
    ];
    expect(said.map(unproving)).toEqual([proveNothing, proveNothing]);
  });

  it('looks at the folders of acceptance and of the browser only, in all results', () => {
    const file = (name: string) => ({ name, message: '', status: 'passed', assertionResults: [] });
    const result = { testResults: [file('/x/test/acceptance/s0.spec.ts'), file('/x/test/domain/task.spec.ts')] };
    const ofBrowser = { testResults: [file('/x/test/browser/jobs.spec.ts')] };
    expect(acceptanceFiles(result, ofBrowser).map(({ name }) => name)).toEqual([
      '/x/test/acceptance/s0.spec.ts',
      '/x/test/browser/jobs.spec.ts',
    ]);
  });

  it('names ids without a line', () => {
    expect(unknownIds(few, [passed('S0-01 S9-99 a')])).toEqual(['S9-99']);
  });

  it('is printed per source, with what is missing', () => {
    expect(report(resultsBySource(few, [passed('S0-01 S1-01 a'), failed('S0-02 b')])).split('\n')).toEqual([
      'S0  1 of 3 lines pass',
      '    failing: S0-02',
      '    missing: S0-03',
      'S1  1 of 1 lines pass',
      'all 2 of 4 lines pass: 2 product, 0 examples',
    ]);
  });

  it('has a form for programs', () => {
    expect(asJson(resultsBySource(few, [passed('S0-01 a')]))).toBe(
      '{"S0":{"lines":3,"passing":["S0-01"],"byExamples":0},"S1":{"lines":1,"passing":[],"byExamples":0}}',
    );
  });
});
