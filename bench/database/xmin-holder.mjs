import pg from 'pg';

/**
 * Opens a transaction that has written and has a snapshot, so no row that dies after it can be cleaned up. Returns a
 * function that ends it.
 */
export async function holdXmin(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin isolation level repeatable read');
  await client.query('select pg_current_xact_id()');
  return async () => {
    await client.query('rollback');
    await client.end();
  };
}
