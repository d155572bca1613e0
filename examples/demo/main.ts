import { DemoError, HELP, readOptions } from './options.js';

/** The whole demo. Returns the exit code. `checkout` is the folder of the repository. */
export async function main(args: readonly string[], env: NodeJS.ProcessEnv, checkout: string): Promise<number> {
  try {
    const options = await readOptions(args, env, checkout);
    if (options === null) {
      process.stdout.write(`${HELP}\n`);
      return 0;
    }
    // Imported late, because the service takes a second to load, and a wrong option should be reported at once.
    const { demo } = await import('./demo.js');
    return await demo(options, env);
  } catch (error) {
    if (!canBePutRight(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

/** By name, because the service's error classes are not loaded yet. */
const EXPECTED: readonly string[] = [DemoError.name, 'ConfigError', 'StartupError', 'EmbeddedPostgresError'];

/**
 * Whether a person can fix the problem. Its message then says what to do. Any other error is a bug, and its stack is
 * the report.
 */
const canBePutRight = (error: unknown): error is Error => error instanceof Error && EXPECTED.includes(error.name);
