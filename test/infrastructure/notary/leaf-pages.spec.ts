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
