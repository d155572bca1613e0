import { join } from 'node:path';

const BUILT = join(__dirname, '../../../../test/dist/packages/client');

/**
 * The JavaScript of one of this package's modules, for a test that starts a process. The set-up of the run has brought
 * it up to date.
 */
export const built = (module: string): string => join(BUILT, module.replace(/\.ts$/, '.js'));
