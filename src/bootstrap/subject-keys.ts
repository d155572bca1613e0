import { readFile } from 'node:fs/promises';
import { MasterKeys } from '../infrastructure/eventstoredb/log/halves/master-keys.js';
import { REPLACED_KEY } from '../infrastructure/eventstoredb/log/halves/rewrapping.js';
import { StartupError } from './startup-error.js';

/** A connection, or a pool of them. */
interface Queries {
  query<Row extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<{ readonly rows: Row[] }>;
}

/** The keys in a file; null if none is named. Throws `StartupError` if it has none, or cannot be read. */
export async function masterKeysIn(file: string | undefined): Promise<MasterKeys | null> {
  if (file === undefined) return null;
  try {
    return MasterKeys.in(await readFile(file, 'utf8'));
  } catch (error) {
    throw new StartupError(
      `Expected WAYBILL_SUBJECT_KEY_FILE to have keys such as 'openssl rand -base64 32' makes, one a line, but ${(error as Error).message}.`,
      { cause: error },
    );
  }
}

/** Throws `StartupError` unless these keys have all with which the database's are encrypted. */
export async function assertKeysOf(client: Queries, keys: MasterKeys | null): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`select name from content_key_masters where state <> 'gone'`);
  const lacking = rows.filter(({ name }) => !keys?.names.includes(name));
  if (lacking.length > 0) throw lacks(keys, lacking.length);
}

/** The same. From then on the database's are encrypted with the first of these. */
export async function useKeysOf(client: Queries, keys: MasterKeys | null): Promise<void> {
  await assertKeysOf(client, keys);
  if (keys === null) return;
  const [first] = keys.names;
  await client.query('insert into content_key_masters (name) values ($1) on conflict do nothing', [first]);
  const { rows } = await client.query<{ state: string }>('select state from content_key_masters where name = $1', [
    first,
  ]);
  if (rows[0]!.state !== 'used') throw new StartupError(REPLACED_KEY);
}

const lacks = (keys: MasterKeys | null, lacking: number): StartupError =>
  new StartupError(
    `Expected WAYBILL_SUBJECT_KEY_FILE to have every key with which this database encrypts what tasks are about, but ${
      keys === null ? 'it is not set' : `it lacks ${lacking} of them`
    }; name the file of before, whose first line may be a new key.`,
  );
