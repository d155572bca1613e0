import { transform } from '@swc/core';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const TREES = [
  ['packages/contracts/src', 'packages/contracts/dist'],
  ['packages/client/src', 'packages/client/dist'],
  ['packages/otel/src', 'packages/otel/dist'],
  ['packages/mcp/src', 'packages/mcp/dist'],
  ['packages/cli/src', 'packages/cli/dist'],
  ['src', 'dist'],
  ['packages/testing/src', 'packages/testing/dist'],
  ['examples', 'examples/dist'],
];

/**
 * Brings the JavaScript of the whole repository, and the SQL beside it, up to date in well under a second, without
 * checking types (`npm run build` does). Skips files that did not change.
 */
export const transpile = () => bringTreesUpToDate(TREES);

/** `test/dist` has the same structure as the repository, so that relative imports of the tests' processes work. */
const TEST_TREES = ['packages/contracts/src', 'packages/client', 'src', 'test'].map((tree) => [
  tree,
  `test/dist/${tree}`,
]);

/** Does the same for the programs that tests run as processes. */
export const transpileTests = () => bringTreesUpToDate(TEST_TREES);

async function bringTreesUpToDate(trees) {
  for (const [from, to] of trees) {
    const sources = await sourcesIn(join(root, from));
    const outputs = sources.map((source) => join(root, to, relative(join(root, from), source)));
    await Promise.all(sources.map((source, index) => bringUpToDate(source, outputs[index])));
    await removeOtherSql(join(root, to), outputs);
  }
}

/** A program installs the functions of all files that it finds. A module without a source does no harm. */
async function removeOtherSql(folder, outputs) {
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  const others = entries.filter((name) => name.endsWith('.sql')).map((name) => join(folder, name));
  await Promise.all(others.filter((path) => !outputs.includes(path)).map((path) => rm(path, { force: true })));
}

/** What was written to a `dist` is no source. */
async function sourcesIn(folder) {
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  return entries
    .filter(
      (name) => /\.(ts|sql)$/.test(name) && !/\.(d|spec)\.ts$/.test(name) && !/(^|\/)(dist|node_modules)\//.test(name),
    )
    .map((name) => join(folder, name));
}

async function bringUpToDate(source, target) {
  const output = target.replace(/\.ts$/, '.js');
  const [read, written] = await Promise.all([stat(source), stat(output).catch(() => undefined)]);
  if (written && written.mtimeMs > read.mtimeMs) return;
  const text = await readFile(source, 'utf8');
  const isSql = source.endsWith('.sql');
  const { code } = isSql ? { code: text } : await transform(text, { ...OPTIONS, filename: source });
  await mkdir(dirname(output), { recursive: true });
  await write(output, code);
}

/**
 * Replaces the file at once: other processes that run it at the same time see the old one or the new one, whole. A
 * file that could not be written completely would be newer than its source, and the next run would take it for
 * complete.
 */
export async function write(output, code) {
  const written = `${output}.${process.pid}`;
  try {
    await writeFile(written, code);
    await rename(written, output);
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}

/**
 * A refusal of the system, such as a full disk, can be fixed by a person. Any other error is a bug, and its stack is
 * the report.
 */
export function fail(error) {
  const told = error.syscall
    ? `Expected to write the compiled code, but ${error.message}; free some space, or let this user write to '${root}'.`
    : error;
  console.error(told);
  process.exit(1);
}

const OPTIONS = {
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'es6' },
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await transpile().catch(fail);
