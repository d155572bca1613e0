import pg from 'pg';
import { Config } from '../src/bootstrap/config.js';
import { startWaybill } from '../src/embedded/start-waybill.js';
import { DatabaseClock } from '../src/infrastructure/database/database-clock.js';
import { createLog } from '../src/infrastructure/telemetry/pino-logger.js';
import { startServer } from '../src/bootstrap/server.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { until } from './support/until.js';

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

const log = createLog({ level: 'silent', format: 'json' });
const STARTS = {
  'a service': (databaseUrl: string) => startServer(Object.assign(new Config(), { databaseUrl, port: 0 }), log),
  'Waybill within a process': (databaseUrl: string) => startWaybill({ databaseUrl }),
};

async function connections(): Promise<number> {
  const { rows } = await client.query(
    'select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return rows.length;
}

it.each(Object.entries(STARTS))('%s leaves no connection open if its start fails', async (_, start) => {
  jest.spyOn(DatabaseClock.prototype, 'sample').mockImplementationOnce(async () => {
    await until('connections', async () => ((await connections()) > 0 ? true : null));
    throw new Error('no time');
  });
  await expect(start(database.url)).rejects.toThrow('no time');
  await until('no connection', async () => ((await connections()) === 0 ? true : null), 10_000);
});
