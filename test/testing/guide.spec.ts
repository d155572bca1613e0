import { transformSync } from '@swc/core';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const TYPESCRIPT = { swcrc: false, jsc: { target: 'es2022', parser: { syntax: 'typescript' } } } as const;

/** The block of TypeScript that imports the package. */
function programIn(document: string): string {
  const blocks = readFileSync(join(ROOT, document), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g);
  const [program] = [...blocks].map(([, block]) => block!).filter((block) => block.includes("'@waybill/testing'"));
  return program!;
}

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'waybill-guide-'))));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['docs/test-your-handlers.md', 2],
  ['packages/testing/README.md', 1],
])('the tests in %s pass, on a Postgres that nobody started', async (document, tests) => {
  const testing = pathToFileURL(join(ROOT, 'dist/testing/index.js')).href;
  const file = join(folder, `${tests}.test.mjs`);
  const program = programIn(document).replace('@waybill/testing', testing);
  writeFileSync(file, transformSync(program, TYPESCRIPT).code);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, ['--test-reporter=tap', file], { env });
  expect(stdout).toContain(`# pass ${tests}\n# fail 0\n`);
});
