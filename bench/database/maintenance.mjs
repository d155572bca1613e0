import pg from 'pg';

const TABLES = `select string_agg(format('%I.%I', schemaname, relname), ', ') as names from pg_stat_user_tables`;

/**
 * Updates the planner's statistics of a system's tables, if it has any, in one transaction. Autovacuum would do so
 * within a minute. Until then pg-boss was measured 4 to 12 times slower, which says nothing about a queue that runs for
 * longer.
 */
export const analyze = ({ url }) => onTables(url, (names) => `begin; analyze ${names}; commit`);

/**
 * Cleans up the dead rows of a system's tables, if it has any, as autovacuum would between two works that do not follow
 * one another at once.
 */
export const vacuum = ({ url }) => onTables(url, (names) => `vacuum ${names}`);

async function onTables(url, statement) {
  if (!url) return;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(TABLES);
  await client.query(statement(rows[0].names));
  await client.end();
}
