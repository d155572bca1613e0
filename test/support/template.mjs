import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * Creates the migrated database that each spec file copies, and returns a function that removes it. Created once,
 * because it takes as long as a short test.
 */
export async function makeTemplate() {
  const { migrate } = await import('../../dist/infrastructure/database/migrate.js');
  const { BUILD } = await import('../../dist/bootstrap/functions.js');
  const name = `test_template_${randomBytes(8).toString('hex')}`;
  const url = new URL(process.env.DATABASE_URL);
  await administer(`CREATE DATABASE ${name}`);
  url.pathname = `/${name}`;
  await migrate(url.href, BUILD);
  process.env.TEST_TEMPLATE = name;
  process.env.TEST_FUNCTIONS = BUILD.schema;
  return () => administer(`DROP DATABASE ${name} WITH (FORCE)`);
}

/** Runs a statement on the server of the run. */
export async function administer(statement) {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
