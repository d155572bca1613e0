import { afterAll, beforeAll, describe, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { blocksIn } from './pages.js';
import { callsIn, callsTo } from './shell.js';

/** What is the reader's own. */
const GIVEN = 'create role shop; create temporary table orders (number int)';

/** Statements that end the transaction in which the test takes everything back. The last two change the whole server. */
const NOT_WITHIN = /^(begin|commit|alter system .*|select pg_reload_conf\(\));$/gm;

const STATEMENTS = [
  ...blocksIn('sql'),
  ...callsTo(callsIn(blocksIn('sh', 'bash')), 'psql').flatMap(({ place, words }) =>
    words.includes('-c') ? [{ place: `${place} psql`, text: words[words.indexOf('-c') + 1]! }] : [],
  ),
].map(({ place, text }) => [place, text] as const);

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe('the SQL of the documents', () => {
  it.each(STATEMENTS)('%s runs on a database of the service', async (_place, text) => {
    await client.query(`begin; ${GIVEN}`);
    try {
      await client.query(text.replaceAll(NOT_WITHIN, ''));
    } finally {
      await client.query('rollback');
    }
  });
});
