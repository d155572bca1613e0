import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Loads an installed module when it is needed.
 *
 * DANGER: the two clients of the store register messages of the same names in one global, and each is broken by the
 * other. One process loads one of them.
 */
export const installed = <T>(name: string): T => require(name) as T;
