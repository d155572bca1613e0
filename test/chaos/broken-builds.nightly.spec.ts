import { BUILDS, brokenBy, invariantsBroken } from './broken-builds.js';
import { Run } from './run.js';

describe('the history checker', () => {
  let run: Run;
  beforeEach(async () => {
    run = await Run.open();
  });
  afterEach(() => run.close());

  it.each(BUILDS)('finds what a build does wrong that $breaks', async (build) => {
    expect(await brokenBy(run, build)).toEqual(build.finds);
  });

  it('finds nothing in the real service', async () => {
    await run.service({ env: await run.sealing() }).ready();
    expect(await invariantsBroken(run, BUILDS)).toEqual([]);
  });
});
