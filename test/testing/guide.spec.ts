import { transformSync } from '@swc/core';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { blocksIn, ROOT } from '../documents/pages.js';
import { importedBy } from '../packaging/imports.js';

const TYPESCRIPT = { swcrc: false, jsc: { target: 'es2022', parser: { syntax: 'typescript' } } } as const;

/** The block of TypeScript that imports the package. */
const programIn = (document: string): string =>
  blocksIn('ts').find(({ place, text }) => place.startsWith(`${document}:`) && text.includes("'@waybill/testing'"))!
    .text;

/** Below the root, where the installed packages are found. */
const BUNDLE = join(ROOT, `.cache/testing-${process.pid}.js`);
const MODULES = join(ROOT, 'dist/testing/index.js');
const BUNDLES = pathToFileURL(join(ROOT, 'scripts/bundle-testing.mjs')).href;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-guide-'));
  const program = `await (await import('${BUNDLES}')).bundleTesting(${JSON.stringify(BUNDLE)})`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(BUNDLE);
});

it.each([
  ['docs/test-your-handlers.md', 2, 'the modules', MODULES],
  ['packages/testing/README.md', 1, 'what is packed', BUNDLE],
])('the tests in %s pass (%i), on a Postgres that nobody started, with %s', async (document, tests, _how, path) => {
  const testing = pathToFileURL(path).href;
  const file = join(folder, `${tests}.test.mjs`);
  const program = programIn(document).replace('@waybill/testing', testing);
  writeFileSync(file, transformSync(program, TYPESCRIPT).code);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, ['--test-reporter=tap', file], { env });
  expect(stdout).toContain(`# pass ${tests}\n# fail 0\n`);
});

it('what is packed is one file, which imports only declared dependencies', async () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: object };
  expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(await importedBy([BUNDLE])));
});
