import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';
import { transpileTests } from './transpile.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What tests start as processes of their own, by their paths from the root. */
const PROCESSES = [
  'src/main',
  'test/acceptance/s1/cluster-worker',
  'test/chaos/broken-service',
  'test/chaos/crashing-service',
  'test/chaos/holding-worker',
  'test/chaos/worker-process',
  'test/support/embedded-postgres-process',
  'test/support/eventstoredb/main',
  'test/support/writer-process',
];

const FOLDER = join(root, 'test/dist/processes');

/** The file that `node` runs for one of the tests' processes. */
export const processFile = (path) => join(FOLDER, `${nameOf(path)}.js`);

/** Brings the files of all processes up to date, if anything changed. */
export async function buildTestProcesses() {
  const changed = await transpileTests();
  if (changed === 0 && (await areThere(PROCESSES.map(processFile)))) return;
  await bundle(
    Object.fromEntries(PROCESSES.map((path) => [nameOf(path), join(root, 'test/dist', `${path}.js`)])),
    FOLDER,
  );
}

/** All in one folder, three levels below the root like a compiled module: what a module finds by its own place is found from there too. */
const nameOf = (path) => path.replaceAll('/', '.');

const areThere = (files) =>
  Promise.all(files.map((file) => access(file))).then(
    () => true,
    () => false,
  );

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildTestProcesses();
