import type pg from 'pg';
import { SchemaError } from './schema-error.js';

const OLDEST = 14;

interface Found {
  readonly name: string;
  readonly encoding: string;
  readonly version: number;
  readonly release: string;
}

/** Throws `SchemaError` if the server is too old, or the database cannot hold every text that callers may send. */
export async function assertFit(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Found>(
    `select current_database() as name, current_setting('server_encoding') as encoding,
       current_setting('server_version_num')::int / 10000 as version, current_setting('server_version') as release`,
  );
  const { name, encoding, version, release } = rows[0]!;
  if (version < OLDEST) throw new SchemaError(`Expected Postgres ${OLDEST} or later, but the server is ${release}.`);
  if (encoding !== 'UTF8')
    throw new SchemaError(
      `Expected database '${name}' to have the encoding UTF8, which holds every text, but it has ${encoding}; set DATABASE_URL to one made with: create database NAME encoding 'UTF8' template template0.`,
    );
}
