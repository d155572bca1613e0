import pg from 'pg';
import { connect } from '../../../src/infrastructure/database/connect.js';
import { createDataSource } from '../../../src/infrastructure/database/data-source.js';
import { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database.js';

let database: TestDatabase;
beforeAll(async () => (database = await createEmptyDatabase()));
afterAll(() => database.drop());

const TYPES = [16, 17, 20, 21, 23, 26, 114, 199, 700, 701, 1000, 1007, 1009, 1016, 1184, 1185, 1700, 2951, 3802, 3807];
const drivers = TYPES.map((type) => [type, pg.types.getTypeParser(type)] as const);

/** As applications do with `pg.types.setTypeParser`, for all of the process. */
beforeAll(() => TYPES.forEach((type) => pg.types.setTypeParser(type, (text) => ({ ofTheApplication: text }))));
afterAll(() => drivers.forEach(([type, parse]) => pg.types.setTypeParser(type, parse)));

const TIME = '2026-11-21T08:05:03.120Z';
const SELECT = `select true as yes, '\\x00ff'::bytea as bytes, 9007199254740993 as large, 1::int2 as small, 2::int4 as middle,
  26::oid as oid, '{"a": [1]}'::json as json, '{"b": null}'::jsonb as jsonb, 0.5::float4 as real, 0.1::float8 as double, 1.50::numeric as exact,
  'it'::text as text, '00000000-0000-0000-0000-000000000001'::uuid as uuid, null::int8 as nothing,
  '{t,f}'::bool[] as booleans, '{1,null}'::int4[] as integers, '{9007199254740993}'::int8[] as longs, '{"a b",null,"c\\"d"}'::text[] as texts,
  array['{"a": 1}']::jsonb[] as jsons, '{00000000-0000-0000-0000-000000000002}'::uuid[] as uuids`;

const READ = {
  yes: true,
  bytes: Buffer.from([0, 255]),
  large: '9007199254740993',
  small: 1,
  middle: 2,
  oid: 26,
  json: { a: [1] },
  jsonb: { b: null },
  real: 0.5,
  double: 0.1,
  exact: '1.50',
  text: 'it',
  uuid: '00000000-0000-0000-0000-000000000001',
  nothing: null,
  booleans: [true, false],
  integers: [1, null],
  longs: ['9007199254740993'],
  texts: ['a b', null, 'c"d'],
  jsons: [{ a: 1 }],
  uuids: ['00000000-0000-0000-0000-000000000002'],
};

const TIMES = `${SELECT}, '${TIME}'::timestamptz as time, array['${TIME}']::timestamptz[] as times`;

describe('given an application that parses the values of its own database otherwise', () => {
  it('the connections of commands read what they always do', async () => {
    const pool = new PostgresPool({ url: database.url, size: 1 });
    expect((await pool.query(TIMES)).rows).toEqual([{ ...READ, time: TIME, times: [TIME] }]);
    await pool.end();
  });

  it('and the connection of the start', async () => {
    const client = await connect(database.url);
    expect((await client.query(TIMES)).rows).toEqual([{ ...READ, time: TIME, times: [TIME] }]);
    await client.end();
  });

  it('and those of queries, with times as dates', async () => {
    const source = await createDataSource(database.url, []).initialize();
    expect(await source.query(TIMES)).toEqual([{ ...READ, time: new Date(TIME), times: [new Date(TIME)] }]);
    await source.destroy();
  });
});
