import { RecordArray, RecordType } from '../../../src/infrastructure/database/record-parameters.js';
import { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

interface Row {
  readonly a: number | null;
  readonly b: string | null;
  readonly c: string | null;
  readonly d: string | null;
  readonly e: string | null;
  readonly f: readonly number[];
  readonly g: object | null;
  readonly h: Part | null;
}

interface Part {
  readonly flag: boolean;
  readonly text: string;
}

const PART = new RecordType<Part>('part_type', (to, part) => {
  to.bool(part.flag);
  to.text(part.text);
});

const TYPE = new RecordType<Row>('all_types', (to, row) => {
  to.int4(row.a);
  to.int8(row.b);
  to.text(row.c);
  to.uuid(row.d);
  to.timestamptz(row.e);
  to.int4s(row.f);
  to.jsonb(row.g);
  to.record(row.h, PART);
});

let database: TestDatabase;
let pool: PostgresPool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = new PostgresPool({ url: database.url, size: 1 });
  await pool.query(PART.create);
  await pool.query(TYPE.create);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function received(rows: readonly Row[]): Promise<readonly object[]> {
  const records = new RecordArray(TYPE, 1, 10);
  for (const row of rows) records.add(row);
  return (await pool.query('select r.*, to_jsonb(r.h) as h from unnest($1::all_types[]) as r', [records.value()])).rows;
}

it('creates a type with the columns that it writes, in their order', () => {
  expect(TYPE.create).toBe(
    'create type all_types as (a int4, b int8, c text, d uuid, e timestamptz, f int4[], g jsonb, h part_type)',
  );
});

it('passes records with values of every type and length, and null', async () => {
  const full: Row = {
    a: -2_147_483_648,
    b: '9223372036854775807',
    c: 'ä€😀 '.repeat(5_000),
    d: '0190abcd-ef01-7234-8567-89abcdef0123',
    e: '1969-07-20T20:17:40.123Z',
    f: [1, -1, 2_000_000],
    g: { a: ['ä€😀', null], b: { c: 1.5 } },
    h: { flag: true, text: 'ä' },
  };
  const empty: Row = { a: null, b: null, c: null, d: null, e: null, f: [], g: null, h: null };
  expect(await received([full, empty, full])).toEqual([full, empty, full]);
});

it('passes an empty list of records', async () => {
  expect(await received([])).toEqual([]);
});

it.each([
  ['a', 2_147_483_648],
  ['a', 0.5],
  ['f', [1, -2_147_483_649]],
  ['b', '9223372036854775808'],
])('refuses numbers that their column %s does not have: %s', (column, value) => {
  const row = { a: null, b: null, c: null, d: null, e: null, f: [], g: null, h: null, [column]: value };
  expect(() => new RecordArray(TYPE, 1, 10).add(row)).toThrow(/^Expected an integer of (32|64) bits, but got/);
});
