import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { segmentsOf } from '../../../src/application/kernel/log-segment.js';
import { writeChanges } from '../../../src/infrastructure/projection-engine/change-writer.js';
import {
  CheckpointMoved,
  moveCheckpoint,
  openCheckpoint,
  type Checkpoint,
} from '../../../src/infrastructure/projection-engine/checkpoint.js';
import { inTransaction } from '../../../src/infrastructure/database/transaction.js';
import type { Projection } from '../../../src/projections/kernel/projection.js';
import { increment, patch, remove, upsert, type RowChange } from '../../../src/projections/kernel/row-change.js';
import type { Table } from '../../../src/projections/kernel/table.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

const cards: Table<'box' | 'card', 'title' | 'tags' | 'due'> = {
  name: 'cards',
  key: { box: 'text', card: 'int' },
  columns: { title: 'text', tags: 'jsonb', due: 'timestamptz' },
};

const tallies: Table<'box', 'seen' | 'most' | 'lost' | 'last'> = {
  name: 'tallies',
  key: { box: 'text' },
  columns: { seen: 'int', most: 'bigint', lost: 'int', last: 'text' },
};

/** Every event contains the changes that it makes. */
const scripted: Projection<'TaskReleased'> = {
  name: 'scripted',
  version: 1,
  tables: [cards, tallies],
  project: { TaskReleased: ({ event }) => (event.data as unknown as { changes: RowChange[] }).changes },
};

describe('the change-writer', () => {
  let db: PostgresFixture;

  beforeAll(async () => {
    db = await openPostgresStore();
    await db.pool.query(
      'create table cards (box text, card int, title text, tags jsonb, due timestamptz, position bigint not null, primary key (box, card))',
    );
    await db.pool.query(
      'create table tallies (box text primary key, seen int not null, most bigint not null, lost int not null, last text, position bigint not null)',
    );
  });
  beforeEach(() => db.pool.query('truncate cards, tallies, projection_checkpoints'));
  afterAll(() => db.close());

  async function write(events: readonly RecordedEvent[], checkpoint: Checkpoint): Promise<Checkpoint> {
    const rows = { projection: scripted, checkpoint };
    const [written] = await inTransaction(db.pool, (connection) =>
      writeChanges(connection, [rows], segmentsOf(events)),
    );
    return written!.checkpoint;
  }

  it('leaves the same rows as the changes one by one, for any batches', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { maxLength: 3 }), { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 9 }),
        async (script, size) => {
          await db.pool.query('truncate cards, projection_checkpoints');
          const events = script.map(recorded);
          let checkpoint = await openCheckpoint(db.pool, 'scripted', 1);
          for (let at = 0; at < events.length; at += size)
            checkpoint = await write(events.slice(at, at + size), checkpoint);
          const { rows } = await db.pool.query(
            'select box, card, title, tags, due, position::int from cards order by box, card',
          );
          expect(rows).toEqual(oneByOne(script));
          expect(checkpoint.position).toBe(BigInt(script.length));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('sends a few statements for a batch of any size', async () => {
    const events = Array.from({ length: 2_000 }, (_, n) =>
      recorded(
        [
          upsert(cards, { box: 'a', card: n }, { title: 't' }),
          patch(cards, { box: 'a', card: n - 1 }, { title: 'u' }),
          remove(cards, { box: 'a', card: n - 2 }),
        ],
        n,
      ),
    );
    const from = await openCheckpoint(db.pool, 'scripted', 1);
    const sent: string[] = [];
    const deaf = db.pool.onStatement((text) => sent.push(text));
    await write(events, from);
    deaf();
    expect(sent.length).toBeLessThanOrEqual(6); // begin, checkpoint, one per kind of change, commit
    expect((await db.pool.query('select card, title from cards order by card')).rows).toEqual([
      { card: 1998, title: 'u' },
      { card: 1999, title: 't' },
    ]);
  });

  it('changes nothing for a follower whose checkpoint another one moved', async () => {
    const stale = await openCheckpoint(db.pool, 'scripted', 1);
    await moveCheckpoint(db.pool, stale, 1n, 1);
    const events = [recorded([upsert(cards, { box: 'a', card: 1 }, { title: 'late' })], 0)];
    await expect(write(events, stale)).rejects.toThrow(CheckpointMoved);
    expect((await db.pool.query('select from cards')).rows).toEqual([]);
  });

  it('leaves a row unchanged that is newer than the change', async () => {
    await db.pool.query(`insert into cards values ('a', 1, 'newer', null, null, 50)`);
    const from = await openCheckpoint(db.pool, 'scripted', 1);
    await write([recorded([upsert(cards, { box: 'a', card: 1 }, { title: 'older' })], 0)], from);
    expect((await db.pool.query('select title from cards')).rows).toEqual([{ title: 'newer' }]);
  });

  it('counts each of the events that are alike, and begins untouched columns at zero or null', async () => {
    const alike = [increment(tallies, { box: 'a' }, { add: { seen: 2 }, greatest: { most: 7 } })];
    const other = [increment(tallies, { box: 'b' }, { add: { seen: 1 }, latest: { last: 'x' } })];
    const from = await openCheckpoint(db.pool, 'scripted', 1);
    const next = await write([alike, alike, alike, other].map(recorded), from);
    await write([recorded(alike, 4), recorded(alike, 5)], next);
    const { rows } = await db.pool.query(
      'select box, seen, most::int, lost, last, position::int from tallies order by box',
    );
    expect(rows).toEqual([
      { box: 'a', seen: 10, most: 7, lost: 0, last: null, position: 6 },
      { box: 'b', seen: 1, most: 0, lost: 0, last: 'x', position: 4 },
    ]);
  });

  it('refuses to count and to replace rows in one table', async () => {
    const both = [upsert(cards, { box: 'a', card: 1 }, { title: 't' }), increment(cards, { box: 'a', card: 1 }, {})];
    const from = await openCheckpoint(db.pool, 'scripted', 1);
    await expect(write([recorded(both, 0)], from)).rejects.toThrow(
      "Expected table 'cards' either to count or to be replaced",
    );
  });
});

const recorded = (changes: readonly RowChange[], at: number): RecordedEvent => ({
  position: BigInt(at + 1),
  stream: 's',
  revision: at,
  id: String(at),
  recordedAt: '',
  event: { type: 'TaskReleased', version: 1, data: { changes } },
  envelope: { actor: 'a', correlationId: 'c' },
});

const title = fc.constantFrom('a', "o'b", '{"c"}', 'é,\\', null);
const tags = fc.constantFrom({ a: ['x', 'y"'] }, [1, 2], null);
const due = fc.constantFrom('2026-11-21T08:00:00.000Z', null);
const key = fc.record({ box: fc.constantFrom('a', 'b'), card: fc.nat(2) });

const change: fc.Arbitrary<RowChange> = fc.oneof(
  fc.tuple(key, fc.record({ title, tags, due })).map(([k, row]) => upsert(cards, k, row)),
  fc.tuple(key, fc.record({ title, tags, due }, { requiredKeys: [] })).map(([k, set]) => patch(cards, k, set)),
  key.map((k) => remove(cards, k)),
);

function oneByOne(script: readonly (readonly RowChange[])[]): object[] {
  const rows = new Map<string, object>();
  script.forEach((changes, at) => {
    for (const one of changes) {
      const id = `${one.key.box as string} ${one.key.card as number}`;
      const position = at + 1;
      if (one.kind === 'remove') rows.delete(id);
      if (one.kind === 'upsert') rows.set(id, { ...one.key, ...one.row, position });
      if (one.kind === 'patch' && rows.has(id)) rows.set(id, { ...rows.get(id), ...one.set, position });
    }
  });
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
