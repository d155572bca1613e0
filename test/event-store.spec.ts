import pg from 'pg';
import { openEventStore, openToIndex } from '../src/event-store.js';
import { IndexRebuild } from '../src/infrastructure/dispatch/index-rebuild.js';
import { PostgresPool } from '../src/infrastructure/persistence/postgres-pool.js';
import { defineQueue } from './support/events.js';
import { EventStoreDbFixture } from './support/eventstoredb/fixture.js';
import { openLog } from './support/eventstoredb/open-log.js';
import { unwellPostgres, TERMINATED } from './support/unwell-postgres.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';

describe('the start with an event store of its own', () => {
  let server: EventStoreDbFixture;
  let database: TestDatabase;
  const lines: string[] = [];

  beforeAll(async () => {
    server = await EventStoreDbFixture.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    lines.length = 0;
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  const optionsFor = (eventStoreUrl: string | undefined, eventStorePrefix: string) => ({
    eventStoreUrl,
    eventStorePrefix,
    databaseUrl: database.url,
    log: (line: string) => void lines.push(line),
  });
  const open = (eventStoreUrl: string | undefined = server.url, eventStorePrefix = '') =>
    openEventStore(optionsFor(eventStoreUrl, eventStorePrefix));

  it('finds the same store again', async () => {
    const found = await open();
    expect(found).toEqual({
      id: expect.any(String),
      url: server.url,
      prefix: '',
      since: server.log.all[0]!.position,
    });
    expect(await open()).toEqual(found);
  });

  it('fails with one sentence, and is not tried again, where nothing answers', async () => {
    await expect(open('esdb://me:secret@127.0.0.1:1?tls=false')).rejects.toThrow(
      "Expected to use the event store at 'esdb://me:***@127.0.0.1:1?tls=false', but nothing answers there; set EVENT_STORE_URL to an EventStoreDB that this process may use.",
    );
    expect(lines).toEqual([]);
  });

  it('waits for a server that is starting, and says so', async () => {
    server.faults.notReady = 1;
    await open();
    expect(lines).toEqual([
      expect.stringMatching(/^The event store at '.*' is not ready yet \(.*Not Ready.*\); trying again$/),
    ]);
  });

  it.each([
    ['at once', 'it broke the connection off'],
    ['when spoken to', `the server says: ${TERMINATED}`],
  ] as const)(
    'fails with one sentence where the database is stopped meanwhile, and breaks off %s',
    async (at, reason) => {
      const postgres = await unwellPostgres(at);
      const opened = openEventStore({ ...optionsFor(server.url, ''), databaseUrl: postgres.url });
      await expect(opened).rejects.toThrow(`Expected to use the database at '${postgres.url}', but ${reason}; set`);
      postgres.close();
    },
  );

  it('refuses a database whose index was made from another store', async () => {
    await open(server.url, 'one.');
    await expect(open(server.url, 'two.')).rejects.toThrow('its index was made from another EventStoreDB');
  });

  it('refuses a new database for a store that holds events, until its index is made', async () => {
    const { log, close } = await openLog({ on: server, prefix: 'used.' });
    await log.append([defineQueue('mail')]);
    await expect(open(server.url, 'used.')).rejects.toThrow("run 'npm run rebuild -- index' with the same settings");
    const pool = new PostgresPool({ url: database.url, size: 2 });
    const { id } = (await openToIndex(optionsFor(server.url, 'used.')))!;
    await new IndexRebuild(pool, { id, log, reactions: [] }).run();
    await pool.end();
    await close();
    expect(await open(server.url, 'used.')).toMatchObject({ id });
  });

  it('makes no index in a database of another store', async () => {
    await open(server.url, 'one.');
    await expect(openToIndex(optionsFor(server.url, 'two.'))).rejects.toThrow('made from another EventStoreDB');
  });

  it('refuses a database that holds events itself, and one of an event store without that', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`insert into events (position, stream, revision, category, type, version, id, recorded_at, data, meta)
      values (1, gen_random_uuid(), 0, 'task', 'TaskEnqueued', 1, gen_random_uuid(), now(), '{}', '{}')`);
    await expect(open()).rejects.toThrow('made from the events that it holds itself');
    await client.query('delete from events');
    await client.end();
    await open();
    await expect(
      openEventStore({
        eventStoreUrl: undefined,
        eventStorePrefix: '',
        databaseUrl: database.url,
        log: () => undefined,
      }),
    ).rejects.toThrow('made from an EventStoreDB; set EVENT_STORE_URL to that');
  });

  it('asks nothing of a database that keeps its events', async () => {
    const absent = { eventStoreUrl: undefined, eventStorePrefix: '', databaseUrl: database.url, log: () => undefined };
    expect(await openEventStore(absent)).toBeNull();
  });
});
