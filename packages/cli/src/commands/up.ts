import type { Command } from 'commander';
import { NotDone } from '../problems.js';
import type { Surroundings } from '../session.js';

/** The service itself, where it is installed with the command line. */
export function addUpCommand(program: Command, { env, startService }: Surroundings): void {
  program
    .command('up')
    .description('starts a service here; Ctrl-C stops it')
    .option('--port <port>', 'where it listens, 3000 by default (PORT)')
    .option('--data-dir <folder>', 'where its own Postgres keeps the data, .waybill by default (WAYBILL_DATA_DIR)')
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
Whatever else can be configured is an environment variable: DATABASE_URL names a Postgres of your own,
HOST another address than 127.0.0.1, WAYBILL_API_KEYS asks for API keys.`;

const NOT_INSTALLED =
  "Expected to start a service, but only the command line is installed here: 'npx waybill up' has the service, too.";
