import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transformSync } from '@swc/core';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RunningService, startService } from './support/running-service.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';

const ROOT = join(import.meta.dirname, '..');
const CACHE = join(ROOT, '.cache');
const TYPESCRIPT = {
  swcrc: false,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
} as const;

/** A program of a page, and what the block after it says that it prints. Tests print what their runner likes. */
interface Program {
  readonly source: string;
  readonly prints: string | undefined;
}

const pagesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

const GUIDES = pagesIn('docs/how-to');
/** Whatever TypeScript is on these pages is a whole program. Guides have fragments, too. */
const PAGES = pagesIn('docs');

const blocksOf = (page: string): readonly Program[] =>
  Array.from(
    readFileSync(join(ROOT, page), 'utf8').matchAll(/^```ts\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms),
    ([, source, prints]) => ({ source: source!, prints }),
  );

const isTest = ({ source }: Program): boolean => source.includes("from 'node:test'");
const isProgram = (block: Program): boolean =>
  isTest(block) || (block.prints !== undefined && block.source.startsWith('import '));

let service: RunningService;
let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  [service, database] = await Promise.all([startService(), createTestDatabase()]);
  mkdirSync(CACHE, { recursive: true });
  // Below the root, where the packages are found.
  folder = mkdtempSync(join(CACHE, 'programs-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.stop();
  await database.drop();
});

/** What the program prints. It fails if the program does. */
async function printedBy({ source }: Program): Promise<string> {
  const file = join(folder, 'program.mjs');
  // The package of the Waybill for tests passes on this entry, which only an installed `waybill` lets it find.
  const program = source.replace('http://localhost:3000', service.url).replace('@waybill/testing', 'waybill/testing');
  writeFileSync(file, transformSync(program, TYPESCRIPT).code);
  const env = { ...process.env, DATABASE_URL: database.url };
  return (await promisify(execFile)(process.execPath, [file], { cwd: folder, env })).stdout;
}

const withoutLineEnds = (text: string): string => text.replaceAll(/ +$/gm, '');

const programs = [...PAGES, ...GUIDES].flatMap((page) =>
  blocksOf(page)
    .filter(isProgram)
    .map((program, at) => [`${page} ${at + 1}`, program] as const),
);

describe('the programs of the documents', () => {
  it.each(programs)('%s prints what it says', async (_page, program) => {
    const printed = await printedBy(program);
    if (!isTest(program)) expect(withoutLineEnds(printed)).toBe(program.prints);
  });

  it('are all that these pages have of TypeScript', () => {
    const others = PAGES.map((page) => [page, blocksOf(page).filter((block) => !isProgram(block)).length] as const);
    expect(others.filter(([, count]) => count > 0)).toEqual([]);
    expect(programs.length).toBeGreaterThan(15);
  });
});
