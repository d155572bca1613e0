import { readFileSync } from 'node:fs';

/** The version that all packages share. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
