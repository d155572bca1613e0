import { readFileSync } from 'node:fs';

/**
 * The URL of a file that lies beside `dist` in the package and beside `src` in a checkout: three folders up, also from
 * the single file into which tests bundle this.
 */
export const packageFile = (path: string): URL => new URL(`../../../${path}`, import.meta.url);

/** The version that all packages share. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string };
  return version;
}
