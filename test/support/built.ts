import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** The JavaScript of one of our modules, for a process of its own; the set-up of the run has brought it up to date. */
export const built = (module: string): string => join(ROOT, 'test/dist', module.replace(/\.ts$/, '.js'));
