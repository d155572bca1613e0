import { readFileSync } from 'node:fs';

/** What the package has beside `dist`, and a checkout beside `src`: three folders up, also in what tests bundle into one file. */
export const shipped = (path: string): URL => new URL(`../../../${path}`, import.meta.url);

/** The one version of everything that is published. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(shipped('package.json'), 'utf8')) as { version: string };
  return version;
}
