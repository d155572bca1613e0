import { ConfigError, type Environment, readConfig } from '../bootstrap/config.js';
import { openDatabase } from '../bootstrap/database.js';
import { BUILD } from '../bootstrap/functions.js';
import { StartupError } from '../bootstrap/startup-error.js';
import { assertKeysOf, masterKeysIn } from '../bootstrap/subject-keys.js';
import { PostgresPool } from '../infrastructure/database/postgres-pool.js';
import type { MasterKeys } from '../infrastructure/eventstoredb/log/halves/master-keys.js';
import { ReplacedKey, rewrapKeys } from '../infrastructure/eventstoredb/log/halves/rewrapping.js';

/** Runs `waybill keys rewrap` on the database of the environment. `refused`: why it cannot be done. */
export async function rewrapSubjectKeys(env: Environment) {
  try {
    const { databaseUrl, dataDir, subjectKeyFile } = readConfig(env);
    const masters = await masterKeysIn(subjectKeyFile);
    if (masters === null) throw new StartupError(NO_FILE);
    const database = await openDatabase({ databaseUrl, dataDir, readOnly: true, log: () => undefined });
    try {
      return { keys: await rewrap(database.url, masters) };
    } finally {
      await database.close();
    }
  } catch (error) {
    if (error instanceof StartupError || error instanceof ConfigError || error instanceof ReplacedKey)
      return { refused: error.message };
    throw error;
  }
}

async function rewrap(url: string, masters: MasterKeys): Promise<number> {
  const pool = new PostgresPool({ url, size: 1, functions: BUILD.schema });
  try {
    await assertKeysOf(pool, masters);
    return await rewrapKeys(pool, masters);
  } finally {
    await pool.end();
  }
}

const NO_FILE =
  'Expected WAYBILL_SUBJECT_KEY_FILE to name the file of keys, the new one in its first line, but it is not set.';
