import { join } from 'node:path';

const FOLDER = join(__dirname, '../dist/processes');

/**
 * The file that `node` runs for a process of the tests, named as in `scripts/test-processes.mjs`. The set-up of the run
 * has built it.
 */
export const built = (module: string): string => join(FOLDER, module.replace(/\.ts$/, '.js').replaceAll('/', '.'));
