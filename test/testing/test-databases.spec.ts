import pg from 'pg';
import { createTestDatabase } from '../../src/testing/test-databases.js';

const SERVER = process.env['DATABASE_URL']!;

async function inServer<T extends object>(text: string, values: unknown[] = []): Promise<readonly T[]> {
  const client = new pg.Client({ connectionString: SERVER });
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}

const nameOf = ({ url }: { readonly url: string }): string => new URL(url).pathname.slice(1);

const isThere = async (name: string): Promise<boolean> =>
  (await inServer('select from pg_database where datname = $1', [name])).length === 1;

describe('the databases of tests', () => {
  it('go when they are closed', async () => {
    const database = await createTestDatabase(SERVER);
    expect(await isThere(nameOf(database))).toBe(true);
    await database.close();
    expect(await isThere(nameOf(database))).toBe(false);
  });

  it('of killed runs go when the next one begins, and those in use stay', async () => {
    const [killed, used] = [await createTestDatabase(SERVER), await createTestDatabase(SERVER)];
    await inServer('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [
      nameOf(killed),
    ]);
    const next = await createTestDatabase(SERVER);
    expect([await isThere(nameOf(killed)), await isThere(nameOf(used))]).toEqual([false, true]);
    await Promise.all([next.close(), used.close()]);
  });

  it('stand side by side', async () => {
    const all = await Promise.all([1, 2, 3].map(() => createTestDatabase(SERVER)));
    expect(new Set(all.map(nameOf)).size).toBe(3);
    await Promise.all(all.map(({ close }) => close()));
  });
});
