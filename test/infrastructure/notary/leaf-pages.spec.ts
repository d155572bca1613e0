import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresLeaves } from '../../../src/infrastructure/notary/postgres-leaves.js';
import { leafHash } from '../../../src/infrastructure/notary/segment-check.js';
import { defineQueue, enqueue, item, succeeded } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

/** A hole of which nobody should look at every part, and nearly the last position that Postgres has. */
const [COPIES, LAST] = [1_000, 2n ** 63n - 2n];

let fixture: PostgresFixture;
let leaves: PostgresLeaves;
beforeAll(async () => {
  fixture = await openPostgresStore();
  leaves = new PostgresLeaves(fixture.pool);
  const first = enqueue('mail', { payload: 1 });
  await fixture.store.append([defineQueue('mail'), first, enqueue('mail', { payload: 2 })]);
  await fixture.store.append([item(first.stream, 0, [succeeded('mail', '1')])]);
  await fixture.pool.query(
    `insert into segments select s.position + at, s.n, s.category, s.type, s.version, s.recorded_at + at * interval '1.000001 seconds', s.meta, s.shared, s.streams, s.revisions,
       s.prevs, s.ids, s.data, s.private, s.salts, s.digest
     from (select * from segments order by position desc limit 1) s, generate_series(1, ${COPIES}) at`,
  );
  await fixture.pool.query(
    `update segments set position = ${LAST} where position = (select max(position) from segments)`,
  );
  await fixture.pool.query(`update segments set meta = replace(meta, 'actor', 'acter') where position = 500`);
});
afterAll(() => fixture.close());

describe('the leaves of a log that are made anew, in pages', () => {
  it('are those that the database makes, with what is altered, behind a hole, too', async () => {
    const found = [];
    for (let after = 0n; ;) {
      const page = await leaves.checked(after, 256);
      if (page.length === 0) break;
      expect(page.length).toBeLessThanOrEqual(256);
      found.push(...page);
      after = page.at(-1)!.position;
    }
    const made = await leaves.after(0n, 2 * COPIES);
    expect(found.map(({ position, hash }) => [position, hash])).toEqual(
      made.map(({ position, text }) => [position, leafHash(text)]),
    );
    expect(found).toHaveLength(3 + COPIES);
    expect(found.filter(({ notes }) => notes.isAltered).map(({ first }) => first)).toEqual([500n]);
    expect(found.map(({ recordedMs }) => recordedMs)).toEqual(made.map(({ text }) => Date.parse(text.split(' ')[4]!)));
  });
});

describe('a row that somebody planted', () => {
  const PLANTED =
    'insert into segments select $1, $2, category, type, version, recorded_at, meta, shared, streams, revisions, prevs, ids, data, private, salts, digest';
  const LAST_OF_ALL = 2n ** 63n - 1n;

  it.each<[string, bigint, number, bigint]>([
    ['at the last position that there is', LAST_OF_ALL, 1, LAST_OF_ALL],
    ['with events beyond that', LAST_OF_ALL - 5n, 64, LAST_OF_ALL],
    ['without events', 2n ** 62n, 0, 2n ** 62n],
    ['with fewer events than none', 2n ** 62n, -2_000, 2n ** 62n],
  ])('%s, is a leaf like others, and the log ends behind it', async (_, position, n, end) => {
    const own = await openPostgresStore();
    await own.store.append([enqueue('mail')]);
    await own.pool.query(`${PLANTED} from segments`, [String(position), n]);
    const all = new PostgresLeaves(own.pool);
    const [planted] = (await all.after(1n, 10)).slice(-1);
    expect(planted).toMatchObject({ position: end, text: expect.stringContaining(`waybill 1 ${position} ${n} `) });
    expect(await all.after(end, 10)).toEqual([]);
    expect(await all.checked(1n, 10)).toMatchObject([
      { first: position, position: end, hash: leafHash(planted!.text) },
    ]);
    expect(await all.checked(end, 10)).toEqual([]);
    await own.close();
  });
});

describe('rows that are taken one by one', () => {
  it('end the read with the error of who takes them, and the connection goes on', async () => {
    let taken = 0;
    const copying = fixture.pool.copyOut('select generate_series(1, 10)', () => {
      if (++taken === 3) throw new RangeError('no more');
    });
    await expect(copying).rejects.toThrow('no more');
    expect(taken).toBe(3);
    expect((await fixture.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});
