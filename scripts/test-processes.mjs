import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';
import { transpileTests } from './transpile.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The programs that tests start as processes, by their paths from the root. */
const PROCESSES = [
  'src/main',
  'src/maintenance/rebuild',
  'test/acceptance/s1/cluster-worker',
  'test/acceptance/s2/step-process',
  'test/acceptance/s3/console-process',
  'test/acceptance/s3/hashing-child',
  'test/browser/scenes/main',
  'test/chaos/broken-service',
  'test/chaos/crashing-service',
  'test/chaos/holding-worker',
  'test/chaos/keeping-process',
  'test/chaos/planning-worker',
  'test/chaos/worker-process',
  'test/support/embedded-postgres-process',
  'test/support/eventstoredb/main',
  'test/support/writer-process',
];

const MODULES = join(root, 'test/dist');
const FOLDER = join(MODULES, 'processes');

/** The file that `node` runs for one of the tests' processes. */
export const processFile = (path) => join(FOLDER, `${nameOf(path)}.js`);

/** Builds the files of all processes anew if one of our modules, or what is installed, has changed. */
export async function buildTestProcesses() {
  await transpileTests();
  const bundles = await Promise.all(PROCESSES.map((path) => changedAt(processFile(path))));
  if (Math.min(...bundles) > (await newestInput())) return;
  await bundle(Object.fromEntries(PROCESSES.map((path) => [nameOf(path), join(MODULES, `${path}.js`)])), FOLDER);
}

/**
 * All files are in one folder, three levels below the root like a compiled module, so that a module finds other files
 * by its own place.
 */
const nameOf = (path) => path.replaceAll('/', '.');

async function newestInput() {
  const names = await readdir(MODULES, { recursive: true });
  const modules = names.filter((name) => name.endsWith('.js') && !name.startsWith('processes'));
  const inputs = [...modules.map((name) => join(MODULES, name)), join(root, 'node_modules/.package-lock.json')];
  return Math.max(...(await Promise.all(inputs.map(changedAt))));
}

/** 0 if there is no such file. */
const changedAt = (file) =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildTestProcesses();
