import { checkpointText } from '../../src/domain/seals/checkpoint.js';
import { noteText } from '../../src/domain/seals/note.js';
import type { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { hashing } from '../../src/infrastructure/notary/node-signing.js';

const ORIGIN = 'waybill/lost';

/** A seal that nobody signed. */
export const lostSeal = (size: number): string =>
  noteText({
    text: checkpointText({ origin: ORIGIN, size, root: hashing.empty }),
    signatures: [{ name: ORIGIN, keyId: 1, bytes: new Uint8Array(64) }],
  });

/** Has a database without a notary say that one seals a log of this name. */
export async function sealAs(pool: Pick<PostgresPool, 'query'>, name: string): Promise<void> {
  const key = `${name}+00000000+AQ==`;
  await pool.query(
    'insert into notary (key) values ($1) on conflict (is_only) do update set key = excluded.key, lost_seal = null',
    [key],
  );
}

/** Has a database without a notary say that one found a log of so many leaves lost. */
export async function lose(pool: Pick<PostgresPool, 'query'>, size: number): Promise<void> {
  await pool.query(
    'insert into notary (lost_seal) values ($1) on conflict (is_only) do update set lost_seal = excluded.lost_seal',
    [lostSeal(size)],
  );
}
