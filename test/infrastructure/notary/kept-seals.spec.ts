import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { LogTree } from '../../../src/infrastructure/notary/log-tree.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

describe('the seals that the service keeps', () => {
  let db: PostgresFixture;
  beforeAll(async () => {
    db = await openPostgresStore();
  });
  afterEach(() => db.pool.query('truncate seals'));
  afterAll(() => db.close());

  /** Seals of a log, of these sizes, on a day so many days ago, a minute apart. */
  const madeOn = (daysAgo: number, log: number, from: number, to: number) =>
    db.pool.query(
      `insert into seals (log, size, position, root, note, made_at)
         select $2::int, n, n, '', '', current_date - $1::int + (n - $3::int) * interval '1 minute' from generate_series($3::int, $4::int) n`,
      [daysAgo, log, from, to],
    );

  const seal = (log: number, size: number) =>
    new LogTree(db.pool).keep({ size, position: 1n }, { log, root: new Uint8Array(32), note: 'sealed' });

  async function kept(): Promise<readonly (readonly [log: number, size: number])[]> {
    const { rows } = await db.pool.query<{ log: number; size: string }>(
      'select log, size from seals order by log, size',
    );
    return rows.map(({ log, size }) => [log, Number(size)]);
  }

  it('are all of 30 days, and of each day before the last one of each log', async () => {
    await madeOn(42, 1, 1, 3);
    await madeOn(41, 1, 4, 6);
    await madeOn(41, 2, 1, 2);
    await madeOn(40, 2, 3, 3);
    await madeOn(29, 2, 4, 6);
    await seal(2, 7);
    expect(await kept()).toEqual([
      [1, 3],
      [1, 6],
      [2, 2],
      [2, 3],
      [2, 4],
      [2, 5],
      [2, 6],
      [2, 7],
    ]);
  });

  it('become fewer by some hundred with each new one, until one of a day is left, also after a month without seals', async () => {
    for (let day = 0; day < 31; day++) await madeOn(90 - day, 1, day * 10 + 1, day * 10 + 10);
    for (let size = 1_001; size <= 1_005; size++) await seal(1, size);
    expect((await kept()).slice(0, 31)).toEqual(Array.from({ length: 31 }, (_, day) => [1, day * 10 + 10]));
    expect(await kept()).toHaveLength(31 + 5);
  });
});
