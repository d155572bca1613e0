import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, planAsInProduction } from '../support/test-database.js';

describe('createTestDatabase', () => {
  it('gives each caller its own database and drops it', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    expect(one.url).not.toBe(other.url);
    await query(one.url, 'CREATE TABLE mark (id int)');
    expect(await query(other.url, "SELECT to_regclass('mark') AS mark")).toEqual([{ mark: null }]);
    await Promise.all([one.drop(), other.drop()]);
    await expect(query(one.url, 'SELECT 1')).rejects.toThrow('does not exist');
  });

  it('lets statements be planned as in production, whatever the run does otherwise', async () => {
    planAsInProduction();
    const { url, drop } = await createTestDatabase();
    const found = `SELECT setting, source FROM pg_settings WHERE name = 'plan_cache_mode'`;
    expect(await query(url, found)).toEqual([{ setting: 'auto', source: 'database' }]);
    await drop();
  });
});

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
