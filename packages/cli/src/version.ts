import { readFileSync } from 'node:fs';

/** Of this package, and with it of everything that is published. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
