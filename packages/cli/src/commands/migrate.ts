import type { Command } from 'commander';
import { NotDone } from '../problems.js';
import type { MigrateOptions, Surroundings } from '../session.js';

/** Changes the schema for a service whose role must not. */
export function addMigrateCommand(program: Command, { env, migrateSchema }: Surroundings): void {
  program
    .command('migrate')
    .description('bring the schema of DATABASE_URL up to date for this build, and end')
    .option('--print-grants <role>', 'then print the grants that this role needs to run the service')
    .addHelpText('after', MORE)
    .action(async (options: MigrateOptions) => {
      if (!migrateSchema) throw new NotDone(NOT_INSTALLED);
      await migrateSchema(env, options);
    });
}

const MORE = `
A service does this by itself when it starts, if its role owns the tables. Run this as the owner if the service has a role
of its own: DATABASE_URL=postgres://owner@host/database waybill migrate --print-grants app | psql ...`;

const NOT_INSTALLED =
  "Expected to migrate a schema, but only the command line is installed here. 'npx waybill migrate' includes the service.";
