import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';

const DOCUMENTED = join(__dirname, '../../../docs/how-to/use-transactions.md');
const OPENAPI = join(__dirname, '../../../openapi.json');

/** What only the API takes, and why. */
const ONLY_OVER_HTTP: Readonly<Record<string, string>> = {
  after: 'its tasks must be there before the row, whose refusal would come when nobody waits for it',
  batch: 'its batch must still be planned when the row is relayed',
  batchSize: 'it belongs to a batch',
  gather: 'the policy of its queue says it: whoever writes the row does not see what waits',
  needs: 'the policy of its queue says it',
  payloadSha256: 'who writes the row has the payload, and nothing lies between',
  hold: 'only the API releases it',
  traceparent: 'SQL knows no span',
  prepared: 'only the API submits it',
  rejected: 'nobody runs it',
};

/** What a row has besides its task. */
const OF_THE_ROW = ['seq', 'actor', 'created_at', 'refusal', 'refused_at', 'tries', 'retry_at'];

const camelCase = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

describe('what a task has that is enqueued in a transaction of the database', () => {
  let database: TestDatabase;
  let pool: PostgresPool;
  let overHttp: readonly string[];
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new PostgresPool({ url: database.url, size: 1 });
    const { components } = JSON.parse(await readFile(OPENAPI, 'utf8')) as {
      components: { schemas: { QueuedSubmission: { properties: object } } };
    };
    overHttp = Object.keys(components.schemas.QueuedSubmission.properties);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const namesOf = async (query: string): Promise<string[]> =>
    (await pool.query<{ name: string }>(query)).rows.map(({ name }) => name);

  const expected = (): string[] => overHttp.filter((field) => !(field in ONLY_OVER_HTTP)).toSorted();

  it('is what it may have over HTTP, without what makes no sense there', async () => {
    const names = await namesOf(
      `select unnest(proargnames) as name from pg_proc where proname = 'enqueue' and pronamespace = 'waybill'::regnamespace`,
    );
    expect(
      names
        .filter((name) => name !== 'actor')
        .map(camelCase)
        .toSorted(),
    ).toEqual(expected());
    for (const field of Object.keys(ONLY_OVER_HTTP)) expect(overHttp).toContain(field);
  });

  it('has a column each', async () => {
    const names = await namesOf(
      `select column_name as name from information_schema.columns where table_name = 'waybill_outbox'`,
    );
    expect(
      names
        .filter((name) => !OF_THE_ROW.includes(name))
        .map(camelCase)
        .toSorted(),
    ).toEqual(expected());
  });

  it('is documented', async () => {
    const text = await readFile(DOCUMENTED, 'utf8');
    const named = await namesOf(
      `select unnest(proargnames) as name from pg_proc where proname = 'enqueue' and pronamespace = 'waybill'::regnamespace`,
    );
    expect(named.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
    expect(Object.keys(ONLY_OVER_HTTP).filter((field) => !text.includes(`\`${field}\``))).toEqual([]);
  });
});
