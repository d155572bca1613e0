import { expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './bench.js';

const BENCHES = readdirSync(join(ROOT, 'bench')).filter((name) => name.endsWith('.mjs'));

/** `benches.nightly.spec` runs all of them. */
it('the benches import only what there is', async () => {
  // One bundle of all: one for each takes six seconds of the processor.
  const contents = BENCHES.map((name) => `import './bench/${name}';`).join('\n');
  const how = { bundle: true, write: false, platform: 'node', format: 'esm', logLevel: 'silent' } as const;
  const { warnings } = await build({ ...how, stdin: { contents, resolveDir: ROOT }, packages: 'external' });
  expect(warnings).toEqual([]);
});
