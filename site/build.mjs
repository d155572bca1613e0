// Builds the site into `site/dist`, or with `dev` serves it and follows changes of the documents.
//   npm run docs:build
//   npm run docs:dev
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assemble } from './assemble.mjs';
import { ROOT } from './places.mjs';

const [, , verb = 'build'] = process.argv;
const folder = fileURLToPath(new URL('.', import.meta.url));
const pages = `${folder}.pages`;

function run(program, ...args) {
  const { status } = spawnSync(process.execPath, [`${folder}node_modules/${program}`, ...args], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** The pages of the client's types. */
const sdk = () => run('typedoc/bin/typedoc', '--options', 'typedoc.json');

const changed = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (changed(`${folder}node_modules/.package-lock.json`) < changed(`${folder}package-lock.json`)) {
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
assemble(pages);
sdk();
if (verb === 'dev')
  watch(`${ROOT}docs`, { recursive: true }, () => {
    assemble(pages);
    sdk();
  });
const started = Date.now();
run('vitepress/bin/vitepress.js', verb);
if (verb === 'build') {
  const count = readdirSync(`${folder}dist`, { recursive: true }).filter((file) => file.endsWith('.html')).length;
  console.log(`${count} pages in ${Math.round((Date.now() - started) / 1000)} s: site/dist`);
}
