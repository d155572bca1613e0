import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { INVARIANTS } from '../support/history-checker.js';
import { BUILDS, brokenBy } from './broken-builds.js';
import { Run } from './run.js';

const DOCUMENTED = join(__dirname, '../../docs/reference/invariants.md');
/** One of each kind: by the code, by the database. `broken-builds.nightly.spec` runs all. */
const FEW = [BUILDS.find(({ sql }) => sql === undefined)!, BUILDS.find(({ sql }) => sql !== undefined)!];

/** The same few requests to builds that break a promise. */
describe('the history checker', () => {
  let run: Run;
  beforeEach(async () => {
    run = await Run.open();
  });
  afterEach(() => run.close());

  it.each(FEW)('finds what a build does wrong that $breaks', async (build) => {
    expect(await brokenBy(run, build)).toEqual(build.finds);
  });
});

it('every invariant is broken by some build', () => {
  const found = new Set(BUILDS.flatMap(({ finds }) => finds));
  expect(INVARIANTS.filter((invariant) => !found.has(invariant))).toEqual([]);
});

it('every invariant is documented with a build that breaks it', async () => {
  const rows = (await readFile(DOCUMENTED, 'utf8')).matchAll(/^\| (I\d+) .*\| ([^|]+?) *\|$/gm);
  const documented = new Map([...rows].map(([, invariant, breaks]) => [invariant, breaks]));
  for (const invariant of INVARIANTS)
    expect(BUILDS.find(({ breaks }) => breaks === documented.get(invariant))?.finds).toContain(invariant);
});
