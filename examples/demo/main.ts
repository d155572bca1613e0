import { DemoError, HELP, readOptions } from './options.js';

/** The whole demo; answers the exit code. `checkout` is the folder of the repository. */
export async function main(args: readonly string[], env: NodeJS.ProcessEnv, checkout: string): Promise<number> {
  try {
    const options = await readOptions(args, env, checkout);
    if (options === null) {
      process.stdout.write(`${HELP}\n`);
      return 0;
    }
    // Only now: the service takes a second to load, and a wrong option should not wait for it.
    const { demo } = await import('./demo.js');
    return await demo(options, env);
  } catch (error) {
    if (!canBePutRight(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

/** By name, because the service's own are not loaded yet. */
const EXPECTED: readonly string[] = [DemoError.name, 'ConfigError', 'StartupError', 'EmbeddedPostgresError'];

/** One sentence says what to do; anything else is a bug, and its stack is the report. */
const canBePutRight = (error: unknown): error is Error => error instanceof Error && EXPECTED.includes(error.name);
