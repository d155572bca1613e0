import { externalLog } from '../src/infrastructure/eventstoredb/reservations/loaded-log.js';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import pg from 'pg';
import { openEventStore, openToIndex } from '../src/bootstrap/event-store.js';
import { IndexRebuild } from '../src/infrastructure/dispatch-index/index-rebuild.js';
import { PostgresPool } from '../src/infrastructure/database/postgres-pool.js';
import { defineQueue } from './support/events.js';
import type { Accounts } from './support/eventstoredb/access.js';
import { inFile, selfSigned } from './support/eventstoredb/certificate.js';
import { EventStoreDbFixture } from './support/eventstoredb/fixture.js';
import { openLog } from './support/eventstoredb/open-log.js';
import { subjectKeyFile } from './support/subject-keys.js';
import { unwellPostgres, TERMINATED } from './support/unwell-postgres.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';

describe('a start with an external event store', () => {
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

  it('recognises the same store again', async () => {
    const found = await open();
    expect(found).toEqual({
      id: expect.any(String),
      url: server.url,
      prefix: '',
      since: server.log.ordinary[0]!.position,
      version: server.release,
      masterKeys: null,
    });
    expect(await open()).toEqual(found);
  });

  describe('and keys', () => {
    const fileOf = (text: string): string => {
      const file = subjectKeyFile(0);
      writeFileSync(file, text);
      return file;
    };
    const [first, second] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    const openWith = (file: string | undefined, url: string | undefined = server.url) =>
      openEventStore({ ...optionsFor(url, 'keys.'), subjectKeyFile: file });

    it.each([
      ['nothing', () => '/nowhere/keys', 'ENOENT'],
      ['an empty file', () => fileOf('\n'), 'it is empty'],
      ['a key that is too short', () => fileOf(`${first}\nAAAA\n`), 'key 2 of it is not 32 bytes in Base64'],
    ])('refuses %s', async (_, file, reason) => {
      await expect(openWith(file())).rejects.toThrow(
        new RegExp(`^Expected WAYBILL_SUBJECT_KEY_FILE to have keys .* but .*${reason}.*\\.$`),
      );
    });

    it('refuses them with the events in Postgres', async () => {
      const options = { ...optionsFor(undefined, ''), subjectKeyFile: fileOf(first!) };
      await expect(openEventStore(options)).rejects.toThrow('Expected EVENT_STORE_URL beside WAYBILL_SUBJECT_KEY_FILE');
    });

    it('takes none away that the database has used, and takes another before them', async () => {
      expect((await openWith(fileOf(`${first}\n`)))!.masterKeys!.names).toHaveLength(1);
      await expect(openWith(fileOf(second!))).rejects.toThrow('but it lacks 1 of them; name the file of before');
      await expect(openWith(undefined)).rejects.toThrow('but it is not set; name the file of before');
      await openWith(fileOf(`${second}\n${first}\n`));
      await expect(openToIndex({ ...optionsFor(server.url, 'keys.'), subjectKeyFile: fileOf(first!) })).rejects.toThrow(
        'but it lacks 1 of them',
      );
    });
  });

  it.each([
    ['24.6.0', 'esdb', 'is of version 24.6.0', null],
    ['25.1.4', 'kurrentdb', 'is of version 25.1.4', null],
    ['26.0.0', 'kurrentdb', 'is of version 26.0.0', 'tried (24.6, 25.1), but it is 26.0.0; see'],
    ['24.60.0', 'esdb', 'is of version 24.60.0', 'but it is 24.60.0; see'],
    ['', 'esdb', 'is of version unknown', 'but it is unknown; see'],
    ['', 'kurrentdb', 'is of version unknown', 'but it is unknown; see'],
  ] as const)("tells that the server's version is '%s', with %s:", async (version, scheme, told, warning) => {
    const store = await EventStoreDbFixture.start({ version, scheme });
    const warned: string[] = [];
    const { version: found } = (await openEventStore({
      ...optionsFor(store.url, ''),
      warn: (line) => void warned.push(line),
    }))!;
    await store.stop();
    expect(found).toBe(version === '' ? 'unknown' : version);
    expect(lines).toEqual([expect.stringContaining(told)]);
    expect(warned).toEqual(warning === null ? [] : [expect.stringContaining(warning)]);
  });

  it.each(['esdb', 'kurrentdb'])('if nothing listens at %s:, fails at once with one sentence', async (scheme) => {
    await expect(open(`${scheme}://me:secret@127.0.0.1:1?tls=false`)).rejects.toThrow(
      `Expected to use the event store at '${scheme}://me:***@127.0.0.1:1?tls=false', but nothing answers there; set EVENT_STORE_URL to an EventStoreDB that this process may use.`,
    );
    expect(lines).toEqual([]);
  });

  it.each([
    ['is opening its files', 'initializing', 'initializing', ['UNAVAILABLE: Server Is Not Ready']],
    ['has opened its files, but accepts no appends', 'unknown', 'unknown', ['Could not recognize Server Is Not Ready']],
    [
      'first opens its files and then accepts no appends',
      'initializing',
      'unknown',
      ['UNAVAILABLE: Server', 'Could not recognize Server'],
    ],
    ['is busy', 'busy', 'busy', ['UNAVAILABLE: Server Is Too Busy']],
  ] as const)('waits for a server that %s, and logs that', async (_, first, then, said) => {
    const starting = await EventStoreDbFixture.start();
    starting.state = first;
    const log = (line: string): void => {
      lines.push(line);
      starting.state = lines.length < said.length ? then : 'leader';
    };
    await openEventStore({ ...optionsFor(starting.url, ''), log });
    await starting.stop();
    expect(lines.pop()).toMatch(new RegExp(`is of version ${starting.release}$`));
    expect(lines).toEqual(said.map((part) => expect.stringContaining(part)));
    for (const line of lines) expect(line).toMatch(/^The event store at '.*' is not ready yet \(.*\); trying again$/);
  });

  it.each([
    ['at once', 'it broke the connection off'],
    ['when spoken to', `the server says: ${TERMINATED}`],
  ] as const)(
    'if the database is stopped meanwhile and closes the connection %s, fails with one sentence',
    async (at, reason) => {
      const postgres = await unwellPostgres(at);
      const opened = openEventStore({ ...optionsFor(server.url, ''), databaseUrl: postgres.url });
      await expect(opened).rejects.toThrow(`Expected to use the database at '${postgres.url}', but ${reason}; set`);
      postgres.close();
    },
  );

  it('refuses a database whose index was built from another store', async () => {
    await open(server.url, 'one.');
    await expect(open(server.url, 'two.')).rejects.toThrow('its index was made from another EventStoreDB');
  });

  it('refuses a new database for a store that holds events, until its index is built', async () => {
    const { log, close } = await openLog({ on: server, prefix: 'used.' });
    await log.append([defineQueue('mail')]);
    await expect(open(server.url, 'used.')).rejects.toThrow("run 'npm run rebuild -- index' with the same settings");
    const pool = new PostgresPool({ url: database.url, size: 2 });
    const { id } = (await openToIndex(optionsFor(server.url, 'used.')))!;
    await new IndexRebuild(pool, externalLog({ id, log, reactions: [] })).run();
    await pool.end();
    await close();
    expect(await open(server.url, 'used.')).toMatchObject({ id });
  });

  it('refuses to build an index in a database of another store', async () => {
    await open(server.url, 'one.');
    await expect(openToIndex(optionsFor(server.url, 'two.'))).rejects.toThrow('made from another EventStoreDB');
  });

  it('refuses a database that holds events itself, and a database of an external store without that store', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`insert into segments (position, n, category, type, version, recorded_at, meta, streams, ids, data)
      values (1, 1, 'task', 'TaskEnqueued', 1, now(), '{}', array[gen_random_uuid()], array[gen_random_uuid()], '{}')`);
    await expect(open()).rejects.toThrow('made from the events that it holds itself');
    await client.query('delete from segments');
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

  it('needs no check if the database holds the events', async () => {
    const absent = { eventStoreUrl: undefined, eventStorePrefix: '', databaseUrl: database.url, log: () => undefined };
    expect(await openEventStore(absent)).toBeNull();
  });
});

describe.each(['esdb', 'kurrentdb'] as const)('a start with an account on the event store (%s:)', (scheme) => {
  const certificate = selfSigned();
  const file = inFile(certificate);
  const accounts: Accounts = {
    admin: { password: 'changeit', groups: ['$admins'] },
    ann: { password: 'of-ann' },
    waybill: { password: 'of-waybill', groups: ['waybills'] },
  };
  let server: EventStoreDbFixture;
  let database: TestDatabase;
  let admin: EventStoreDBClient;

  beforeEach(async () => {
    server = await EventStoreDbFixture.start({ certificate, accounts, scheme });
    database = await createTestDatabase();
    admin = EventStoreDBClient.connectionString(trusting(server.urlFor('admin')).replace(scheme, 'esdb'));
  });
  afterEach(async () => {
    await admin.dispose();
    await server.stop();
    await database.drop();
  });
  afterAll(() => rm(dirname(file), { recursive: true }));

  const trusting = (url: string): string => `${url}&tlsCAFile=${encodeURIComponent(file)}`;
  const open = (eventStoreUrl: string) =>
    openEventStore({ eventStoreUrl, eventStorePrefix: '', databaseUrl: database.url, log: () => undefined });

  it.each([
    ['a node', (url: string) => url],
    ['a cluster', (url: string) => url.replace(`${scheme}:`, `${scheme}+discover:`)],
  ])('if the certificate of %s is not trusted, says so and how to trust it', async (_, at) => {
    await expect(open(at(server.urlFor('admin')))).rejects.toThrow(
      /^Expected to use the event store at '.*admin:\*\*\*@.*', but its certificate is not trusted \(self-signed certificate\); name the certificate of who signed it with 'tlsCAFile=<file>' in EVENT_STORE_URL, or with NODE_EXTRA_CA_CERTS\.$/,
    );
    await expect(open(at(trusting(server.urlFor('admin'))))).resolves.toMatchObject({ id: expect.any(String) });
  });

  it('reports that only one side uses TLS', async () => {
    const plain = await EventStoreDbFixture.start({ scheme });
    await expect(open(plain.url.replace('tls=false', 'tls=true'))).rejects.toThrow(
      "but it does not speak TLS; add 'tls=false' to EVENT_STORE_URL",
    );
    await plain.stop();
    await expect(open(server.url.replace('tls=true', 'tls=false'))).rejects.toThrow(
      "but it breaks off every connection without TLS; leave 'tls=false' out of EVENT_STORE_URL",
    );
  });

  it('reports that the account is missing or unknown', async () => {
    await expect(open(trusting(server.url))).rejects.toThrow(
      `but it asks for an account; name one in EVENT_STORE_URL, as '${scheme}://name:password@host:2113'.`,
    );
    const wrong = server.urlFor('ann').replace('of-ann', 'secret');
    await expect(open(trusting(wrong))).rejects.toThrow(
      /ann:\*\*\*@.*but it knows no account 'ann' with this password;/,
    );
  });

  it('names the right that the account lacks, and succeeds once it has it', async () => {
    const url = trusting(server.urlFor('waybill'));
    const stored = server.log.all.length;
    await expect(open(url)).rejects.toThrow(
      "but its account 'waybill' may not read '$all'; give it that right as 'docs/how-to/run-on-eventstoredb.md#rights' says, or name another one in EVENT_STORE_URL.",
    );
    expect(server.log.all).toHaveLength(stored);
    await admin.setStreamMetadata('$all', { acl: { readRoles: ['$admins', 'waybills'] } });
    await expect(open(url)).resolves.toMatchObject({ id: expect.any(String) });
    await expect(open(trusting(server.urlFor('ann')))).rejects.toThrow("account 'ann' may not read '$all'");
  });

  it.each([
    ['$w', "append to 'waybill-store'"],
    ['$r', "read 'waybill-store'"],
  ] as const)('names the right that the default access list denies the account (%s)', async (right, missing) => {
    await admin.setStreamMetadata('$all', { acl: { readRoles: ['$admins', 'waybills'] } });
    const url = trusting(server.urlFor('waybill'));
    await open(url);
    const settings = { $userStreamAcl: { $r: '$all', $w: '$all', [right]: '$admins' } };
    await admin.appendToStream('$settings', jsonEvent({ type: 'update-default-acl', data: settings }));
    await expect(open(url)).rejects.toThrow(`account 'waybill' may not ${missing}`);
  });
});
