import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkNode } from '../bin/check-node.js';

// Builds once, and packs the published packages into a folder: `npm run package -- /tmp/packages`. `prepack` would build again for each of them: npm runs it before
// a script of the name `pack`, too, so that this one has another name.
// With --json it prints what npm says about the files, and otherwise how to use them.

checkNode();
const root = fileURLToPath(new URL('..', import.meta.url));
const given = process.argv.slice(2);
const json = given.includes('--json');
const folder = resolve(given.find((word) => !word.startsWith('--')) ?? 'packed');
const began = performance.now();

const npm = (...args) => execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
function bundle(...args) {
  for (const script of ['scripts/bundle-cli.mjs', 'scripts/bundle-testing.mjs'])
    execFileSync(process.execPath, [script, ...args], { cwd: root });
}

/** As the hooks of npm do that `--ignore-scripts` leaves out. */
function withBundles(work) {
  bundle();
  try {
    return work();
  } finally {
    bundle('--remove');
  }
}

const tell = (line) => console[json ? 'error' : 'log'](line);

tell('Building (about half a minute) ...');
npm('run', '--silent', 'build:packages');
mkdirSync(folder, { recursive: true });
const packages = ['contracts', 'client', 'otel', 'mcp', 'cli', 'testing'].map((name) => `--workspace=@waybill/${name}`);
const how = ['--include-workspace-root', '--ignore-scripts', `--pack-destination=${folder}`];
const packed = withBundles(() => JSON.parse(npm('pack', ...packages, ...how, '--json')));

if (json) console.log(JSON.stringify(packed));
else {
  for (const { filename, size } of packed) tell(`  ${filename.padEnd(32)} ${(size / 1e6).toFixed(2)} MB`);
  const where = relative(process.cwd(), folder);
  tell(`Packed in ${Math.round((performance.now() - began) / 1000)} s. Next:`);
  tell(`  npx waybill init ../my-work --packages ${where}      # a folder that runs`);
  tell(`  npm install ${folder}/waybill-*.tgz                  # or in a folder of yours`);
}
