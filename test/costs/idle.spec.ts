import pg from 'pg';
import { EventStoreDbFixture } from '../support/eventstoredb/fixture.js';
import { type RunningService, type ServiceOptions, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

const WINDOW = '5 seconds';
/** What the start still does falls into the first one at most, and a slow machine sends less in the others. */
const WINDOWS = 4;
/** Every loop of all roles together: 48 to 60 in five seconds when this was written, more on a faster machine. */
const MOST = 68;
/** With those for the store: 48 to 57. */
const MOST_ELSEWHERE = 85;
const FOREIGN_A_SECOND = 1_000;
/** A message for each 2,048 events that the server looked through, and those of looks for the log's end. */
const FOREIGN_FOR_A_MESSAGE = 50;

const CALLS = `
  select coalesce(sum(calls), 0)::int as calls
  from pg_stat_statements s join pg_database d on d.oid = s.dbid where d.datname = $1`;

const nameOf = (service: RunningService) => new URL(service.databaseUrl).pathname.slice(1);

/** The least of what is counted in some windows. */
async function leastOf(admin: pg.Client, count: () => Promise<number>): Promise<number> {
  const counts: number[] = [];
  while (counts.length < WINDOWS) {
    const before = await count();
    await window(admin);
    counts.push((await count()) - before);
  }
  return Math.min(...counts);
}

async function window(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query(`select clock_timestamp() + interval '${WINDOW}' as over`);
  await until('the window to pass', async () =>
    (await admin.query('select clock_timestamp() > $1 as over', [rows[0].over])).rows[0].over ? true : null,
  );
}

describe('a service with nothing to do', () => {
  let admin: pg.Client;
  let service: RunningService;
  let server: EventStoreDbFixture | undefined;
  beforeAll(async () => {
    admin = new pg.Client({ connectionString: process.env.DATABASE_URL });
    await admin.connect();
    await admin.query('create extension if not exists pg_stat_statements');
  });
  afterEach(() => service.stop());
  afterAll(async () => {
    await server?.stop();
    await admin.end();
  });

  async function start(options: ServiceOptions = {}): Promise<void> {
    service = await startService(options);
    await admin.query(`alter database ${nameOf(service)} set pg_stat_statements.track = 'top'`);
    await service.restart();
  }
  const statements = async (): Promise<number> => (await admin.query(CALLS, [nameOf(service)])).rows[0].calls;

  it('sends Postgres no more statements than recorded', async () => {
    await start();
    const least = await leastOf(admin, statements);
    expect(least).toBeGreaterThan(0);
    expect(least).toBeLessThanOrEqual(MOST);
  });

  it('sends it no more because of another program in EventStoreDB, and gets nearly nothing from there', async () => {
    const store = (server = await EventStoreDbFixture.start({ breaksEvery: 0 }));
    await start({ eventStoreUrl: store.url });
    await service.waybill.queue('mail').define();
    store.writeForeign(FOREIGN_A_SECOND);
    const [sent, events] = [store.sent, store.log.all.length];
    expect(await leastOf(admin, statements)).toBeLessThanOrEqual(MOST_ELSEWHERE);
    const foreign = store.log.all.length - events;
    expect(foreign).toBeGreaterThan(FOREIGN_A_SECOND);
    expect(store.sent - sent).toBeLessThan(foreign / FOREIGN_FOR_A_MESSAGE);
  });
});
