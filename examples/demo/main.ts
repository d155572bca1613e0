import { HELP, readOptions } from './options.js';
import { told } from './told.js';

/** The whole demo. Returns the exit code. `checkout` is the folder of the repository. */
export const main = (args: readonly string[], env: NodeJS.ProcessEnv, checkout: string): Promise<number> =>
  told(async () => {
    const options = await readOptions(args, env, checkout);
    if (options === null) {
      process.stdout.write(`${HELP}\n`);
      return 0;
    }
    // Imported late, because the service takes a second to load, and a wrong option should be reported at once.
    const { demo } = await import('./demo.js');
    return await demo(options, env);
  });
