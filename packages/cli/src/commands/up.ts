import type { Command } from 'commander';
import { NotDone } from '../problems.js';
import type { Surroundings } from '../session.js';

/** Runs the service itself, if it is installed together with the command line. */
export function addUpCommand(program: Command, { env, startService }: Surroundings): void {
  program
    .command('up')
    .description('start a service here; Ctrl-C stops it')
    .option('--port <port>', 'the port to listen on (default: PORT, then 3000)')
    .option(
      '--data-dir <folder>',
      'the folder for the data of its own Postgres (default: WAYBILL_DATA_DIR, then .waybill)',
    )
    .addHelpText('after', MORE)
    .action(async ({ port = env.PORT, dataDir = env.WAYBILL_DATA_DIR }: UpOptions) => {
      if (!startService) throw new NotDone(NOT_INSTALLED);
      await startService({ ...env, PORT: port, WAYBILL_DATA_DIR: dataDir });
    });
}

interface UpOptions {
  readonly port?: string;
  readonly dataDir?: string;
}

const MORE = `
Environment variables configure everything else. DATABASE_URL names your own Postgres, HOST an address other than
127.0.0.1, and WAYBILL_API_KEYS the API keys that the service accepts.`;

const NOT_INSTALLED =
  "Expected to start a service, but only the command line is installed here. 'npx waybill up' includes the service.";
