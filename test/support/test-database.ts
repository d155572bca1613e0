import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface TestDatabase {
  readonly url: string;
  /** Removes the database, and with it every connection that is still open. */
  drop(): Promise<void>;
}

/** A new, empty database for one spec file, so that files in parallel workers do not see each other's data. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const url = new URL(serverUrl());
  await administer(`CREATE DATABASE ${name}`);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

function serverUrl(): string {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('Expected DATABASE_URL to name the Postgres of this test run, but it is not set');
  return url;
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
