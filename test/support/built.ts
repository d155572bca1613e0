import { join } from 'node:path';

const FOLDER = join(__dirname, '../dist/processes');

/** The one file that `node` runs for a process of the tests, named as in `scripts/test-processes.mjs`; the set-up of the run has made it. */
export const built = (module: string): string => join(FOLDER, module.replace(/\.ts$/, '.js').replaceAll('/', '.'));
