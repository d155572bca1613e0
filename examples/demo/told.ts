import { DemoError } from './options.js';

/** By name, because the service's error classes are not loaded yet. */
const EXPECTED: readonly string[] = [
  DemoError.name,
  'ConfigError',
  'StartupError',
  'EmbeddedPostgresError',
  'WaybillError',
  'WaybillUnavailable',
];

/**
 * The exit code of an example. An error that a person can fix is told in its own words, which say what to do. Any other
 * is a bug, and its stack is the report.
 */
export async function told(example: () => Promise<number>): Promise<number> {
  try {
    return await example();
  } catch (error) {
    if (!(error instanceof Error) || !EXPECTED.includes(error.name)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}
