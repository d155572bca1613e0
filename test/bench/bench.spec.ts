import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bench, PATIENCE_MS, rate, ROOT } from './bench.js';

const BENCHES = readdirSync(join(ROOT, 'bench')).filter((name) => name.endsWith('.mjs'));

/** `benches.nightly.spec` runs all of them. */
describe('the benches', () => {
  it('import only what there is', async () => {
    const entryPoints = BENCHES.map((name) => join(ROOT, 'bench', name));
    const how = {
      bundle: true,
      write: false,
      outdir: ROOT,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
    } as const;
    const { warnings } = await build({ ...how, entryPoints, packages: 'external' });
    expect(warnings).toEqual([]);
  });

  it(
    'run whole lives of tasks in process',
    async () => {
      const result = await bench('core', '--tasks', '40', '--batch', '20', '--repeat', '1', '--keyed');
      expect(result).toMatchObject({ enqueue: rate, drain: rate, lifecycle: rate, node: rate, postgres: rate });
      expect(result.runs[0].statementsPerBatch).toEqual({ enqueue: rate, drain: rate });
    },
    PATIENCE_MS,
  );
});
