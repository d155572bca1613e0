import type { PostgresConnection, PostgresPool } from '../../../database/postgres-pool.js';
import { inTransaction } from '../../../database/transaction.js';
import type { MasterKeys, WrappedKey } from './master-keys.js';

/** The first of the given master keys gave way to another one. */
export class ReplacedKey extends Error {
  override readonly name = 'ReplacedKey';
}

/** Why a master key is not used any more. */
export const REPLACED_KEY =
  "Expected the first key of WAYBILL_SUBJECT_KEY_FILE to be the newest one of this database, but 'waybill keys rewrap' has replaced it by another; write that one above it.";

const MOST_KEYS = 1_000;

/**
 * Encrypts each key of a stream with the first of these master keys, after which nobody needs the others. Services may run meanwhile. Returns how many
 * keys others had encrypted. After a failure, a repetition does the rest. Throws `ReplacedKey`, and Error for a key that none of these has encrypted.
 */
export async function rewrapKeys(pool: PostgresPool, masters: MasterKeys): Promise<number> {
  const first = masters.names[0]!;
  await inTransaction(pool, async (connection) => {
    await connection.query(USE, [first]);
    await assertInUse(connection, first);
    await connection.query(REPLACE_OTHERS, [first]);
    // Waits for those who make keys with others now. Whoever comes later sees that they are replaced.
    await connection.query('lock table content_keys in share mode');
  });
  let rewrapped = 0;
  for (let after: string | null = null; ;) {
    const page: readonly string[] = await inTransaction(pool, (one) => rewrapPage(one, masters, after));
    rewrapped += page.length;
    if (page.length < MOST_KEYS) break;
    after = page.at(-1)!;
  }
  await inTransaction(pool, async (connection) => {
    await assertInUse(connection, first);
    await connection.query(FORGET_OTHERS);
  });
  return rewrapped;
}

interface KeyOfStream extends WrappedKey {
  readonly stream: string;
}

/** Returns the streams. A key that is destroyed meanwhile stays so. */
async function rewrapPage(
  connection: PostgresConnection,
  masters: MasterKeys,
  after: string | null,
): Promise<readonly string[]> {
  const [first] = masters.names;
  await assertInUse(connection, first!);
  const { rows } = await connection.query(OTHERS, [first, after, MOST_KEYS]);
  const found = rows as KeyOfStream[];
  const streams = found.map(({ stream }) => stream);
  const keys = found.map((one) => masters.wrap(masters.unwrap(one, one.stream), one.stream).key);
  await connection.query(REWRAP, [streams, found.map(({ key }) => key), keys, first]);
  return streams;
}

/** Keeps it so until the transaction ends. */
async function assertInUse(connection: PostgresConnection, first: string): Promise<void> {
  const { rowCount } = await connection.query(IN_USE, [first]);
  if (rowCount === 0) throw new ReplacedKey(REPLACED_KEY);
}

const USE = 'insert into content_key_masters (name) values ($1) on conflict do nothing';

const IN_USE = `select from content_key_masters where name = $1 and state = 'used' for share`;

const REPLACE_OTHERS = `update content_key_masters set state = 'replaced' where name <> $1 and state = 'used'`;

const OTHERS = `select stream, master, key from content_keys
  where key is not null and master <> $1 and ($2::uuid is null or stream > $2) order by stream limit $3`;

const REWRAP = `update content_keys k set key = n.key, master = $4 from unnest($1::uuid[], $2::bytea[], $3::bytea[]) n(stream, was, key)
  where k.stream = n.stream and k.key = n.was`;

const FORGET_OTHERS = `update content_key_masters set state = 'gone' where state = 'replaced'`;
