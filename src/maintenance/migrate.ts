import { ConfigError, type Environment, readConfig } from '../bootstrap/config.js';
import { openDatabase } from '../bootstrap/database.js';
import { BUILD } from '../bootstrap/functions.js';
import { LogReader } from '../bootstrap/log-reader.js';
import { StartupError } from '../bootstrap/startup-error.js';
import { connect } from '../infrastructure/database/connect.js';
import { grantsFor } from '../infrastructure/database/rights.js';

export interface MigrateOptions {
  /** The role whose grants to print to standard output. */
  readonly printGrants?: string;
}

/** Runs `waybill migrate` in a process of its own. */
export async function migrateProgram(env: Environment, options: MigrateOptions): Promise<void> {
  const reader = new LogReader();
  await runMigrate(env, options);
  reader.exitIfGone();
}

/** Brings the schema up to date, with exit code 1 and the reason if it cannot. */
export async function runMigrate(env: Environment, { printGrants }: MigrateOptions): Promise<void> {
  try {
    const { databaseUrl, dataDir, migrationMs } = readConfig(env);
    const database = await openDatabase({ databaseUrl, dataDir, migrationMs, log: console.error });
    try {
      console.error(`The schema is up to date for build '${BUILD.schema}'`);
      if (printGrants !== undefined) console.log((await grants(database.url, printGrants)).join('\n'));
    } finally {
      await database.close();
    }
  } catch (error) {
    const isExpected = error instanceof StartupError || error instanceof ConfigError;
    console.error(isExpected ? error.message : error);
    process.exit(1);
  }
}

async function grants(url: string, role: string): Promise<readonly string[]> {
  const client = await connect(url);
  try {
    return await grantsFor(client, BUILD, role);
  } finally {
    await client.end();
  }
}
