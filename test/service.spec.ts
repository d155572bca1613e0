import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANSWER_MS, BUSY_MS } from '../src/infrastructure/database/connect.js';
import { endServiceProcesses, ServiceProcess } from './service-process.js';
import { built } from './support/built.js';
import { until } from './support/until.js';
import { unwellPostgres, TERMINATED } from './support/unwell-postgres.js';
import { createEmptyDatabase, type TestDatabase } from './support/test-database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
});

afterAll(async () => {
  await database.drop();
});

afterEach(endServiceProcesses);

const send = (method: 'PUT' | 'POST', url: string, body: object): Promise<Response> =>
  fetch(url, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** A folder that does not exist yet. The next test run removes it if this one is killed. */
const newFolder = (): string => join(tmpdir(), `waybill-test-${process.pid}-${randomBytes(6).toString('hex')}`);

async function listening(): Promise<[server: Server, port: number]> {
  // Reads, so that it notices when the other side closes.
  const server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return [server, (server.address() as AddressInfo).port];
}

describe('a log that nobody reads any more', () => {
  it.each([
    ['stops the service in order', null],
    ['does not keep a signal from stopping it in order', 'SIGTERM'],
  ] as const)('%s, and leaves no Postgres behind', async (_, signal) => {
    const dataDir = newFolder();
    const service = new ServiceProcess({ WAYBILL_DATA_DIR: dataDir, WAYBILL_LOG_LEVEL: 'info' });
    if (signal) await service.url();
    else await service.told(/Starting with/);
    service.closePipes();
    if (signal) service.kill(signal);
    expect(await service.ended).toBe(0);
    expect(existsSync(join(dataDir, 'postgres', 'data', 'PG_VERSION'))).toBe(true);
    expect(existsSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
  });

  it('does not keep a program of maintenance from stopping the Postgres that it has started', async () => {
    const dataDir = newFolder();
    const rebuild = [process.execPath, built('src/maintenance/rebuild.ts'), 'index'] as const;
    const program = new ServiceProcess({ WAYBILL_DATA_DIR: dataDir }, rebuild);
    program.closePipes();
    expect(await program.ended).toBe(141);
    expect(existsSync(join(dataDir, 'postgres', 'data', 'PG_VERSION'))).toBe(true);
    expect(existsSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
  });
});

describe('a signal', () => {
  it('lets the requests in progress finish, answers waiting claims, and ends with code 0', async () => {
    const service = new ServiceProcess({ DATABASE_URL: database.url });
    const url = await service.url();
    // Read completely, so that the claim reuses its connection and arrives before the stream is opened.
    await (await send('PUT', `${url}/v1/queues/mail`, {})).text();
    const claim = send('POST', `${url}/v1/queues/mail/claims`, { worker: 'w1', waitMs: 60_000 });
    const stream = await fetch(`${url}/v1/events/stream`);
    const reader = stream.body!.getReader();
    await reader.read();
    service.kill('SIGTERM');
    expect(await (await claim).json()).toEqual({ tasks: [], position: null });
    while (!(await reader.read()).done);
    expect(await service.ended).toBe(0);
    expect(service.errors).toBe('');
  });

  /** A request whose body never arrives. */
  async function unfinished(url: string): Promise<Socket> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('POST /v1/tasks/batch HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n');
    socket.write('content-type: application/json\r\ncontent-length: 100\r\n\r\n');
    await once(socket, 'data'); // the service asks for the body, so the request is in progress
    return socket;
  }

  it('waits for requests in progress up to the grace time', async () => {
    const service = new ServiceProcess({ DATABASE_URL: database.url, WAYBILL_SHUTDOWN_GRACE_MS: '10' });
    const socket = await unfinished(await service.url());
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    socket.destroy();
  });

  it('given twice ends the process at once', async () => {
    const service = new ServiceProcess({ DATABASE_URL: database.url, WAYBILL_SHUTDOWN_GRACE_MS: '600000' });
    const socket = await unfinished(await service.url());
    service.kill('SIGINT');
    await service.told(/Stopping on SIGINT/);
    // Sent repeatedly, because a signal that comes at once counts as an echo.
    await until('its end', async () => {
      service.kill('SIGINT');
      return service.isOver || null;
    });
    expect(await service.ended).toBe(1);
    socket.destroy();
  });

  it('that npm repeats at once counts as one', async () => {
    const service = new ServiceProcess({ DATABASE_URL: database.url });
    await service.url();
    // Both are there when it goes on, however busy the machine is. Two of the same would be one.
    for (const signal of ['SIGSTOP', 'SIGINT', 'SIGTERM', 'SIGCONT'] as const) service.kill(signal);
    expect(await service.ended).toBe(0);
    expect(service.output.match(/Stopping on/g)).toHaveLength(1);
  });
});

it('works without listening if it does not have the role api', async () => {
  const service = new ServiceProcess({ DATABASE_URL: database.url, WAYBILL_ROLES: 'projector,sweeper' });
  expect(await service.told(/Working as ([\w, ]+)/)).toBe('projector, sweeper');
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

/** Requests like a browser that takes `host` for the name of this service. `fetch` cannot set the header. */
const statusAt = async (url: string, headers: Record<string, string>): Promise<number | undefined> => {
  const [response] = (await once(get(`${url}/v1/queues`, { headers }), 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
};

it('without API keys, answers to the configured host names, and to no others', async () => {
  const service = new ServiceProcess({ DATABASE_URL: database.url, HOST: '0.0.0.0', WAYBILL_HOSTS: 'waybill' });
  const url = (await service.url()).replace('0.0.0.0', '127.0.0.1');
  const statuses = ['localhost', 'waybill:3000', 'evil.example'].map((host) => statusAt(url, { host }));
  expect(await Promise.all(statuses)).toEqual([200, 200, 421]);
});

it('with API keys, answers to any host name, and logs the keys that it refused', async () => {
  const entry = { name: 'ann', sha256: createHash('sha256').update('wb_good').digest('hex'), may: ['read'] };
  const service = new ServiceProcess({
    DATABASE_URL: database.url,
    WAYBILL_API_KEYS: JSON.stringify([entry]),
    WAYBILL_TRUSTED_PROXIES: '127.0.0.0/8',
  });
  const url = await service.url();
  const headers = { host: 'waybill.example', 'x-forwarded-for': '203.0.113.9' };
  expect(await statusAt(url, { ...headers, authorization: 'Bearer wb_good' })).toBe(200);
  expect(await statusAt(url, { ...headers, authorization: 'Bearer wb_wrong' })).toBe(401);
  await service.told(/Refused an API key from 203\.0\.113\.9 for GET \/v1\/queues/);
  expect(service.output).not.toContain('wb_wrong');
});

/** Behind those that start, which leave the code that V8 has made (`scripts/code-cache.mjs`): with it a start that fails takes half. */
describe('a start that fails ends with code 1 and one sentence', () => {
  const failing = async (env: Record<string, string>): Promise<string> => {
    const service = new ServiceProcess(env);
    expect(await service.ended).toBe(1);
    return service.errors.trim();
  };

  it('about the configuration, one line per problem', async () => {
    const said = await failing({ PORT: 'http', WAYBILL_ROLES: 'boss' });
    expect(said.split('\n')).toEqual([
      "Expected PORT to be a port number, but it is 'http'",
      "Expected WAYBILL_ROLES to be a list of api, projector, reactor, sweeper, relay, steward, but it is 'boss'",
    ]);
  });

  it('about a server that does not listen', async () => {
    // A port that was free a moment ago may be taken by now. This one is never assigned.
    const said = await failing({ DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/waybill' });
    expect(said).toBe(
      "Expected to use the database at 'postgres://me:***@127.0.0.1:1/waybill', but nothing listens there; " +
        'set DATABASE_URL to a Postgres that this process may use.',
    );
  });

  it.each([
    ['DATABASE_URL', 'postgres://127.0.0.1:1/waybill?user=me&password=hidden'],
    ['EVENT_STORE_URL', 'esdb://me:hidden@127.0.0.1:1?tls=false&unknown=1&tlsVerifyCert=false'],
    ['EVENT_STORE_URL', 'kurrentdb://me:hidden@127.0.0.1:1?tls=false&unknown=1&tlsVerifyCert=false'],
  ])('without the password in %s: %s', async (variable, url) => {
    const service = new ServiceProcess({ DATABASE_URL: database.url, [variable]: url });
    expect(await service.ended).toBe(1);
    expect(service.errors).toMatch(/Expected to use the (database|event store) at '\w+:\/\/.*\*\*\*/);
    expect(service.output + service.errors).not.toContain('hidden');
  });

  it('about a server that accepts a connection and does not answer, after one connection', async () => {
    const [server, port] = await listening();
    let connections = 0;
    server.on('connection', () => connections++);
    const said = await failing({ DATABASE_URL: `postgres://127.0.0.1:${port}/waybill` });
    server.close();
    expect(said).toMatch(new RegExp(`but it does not answer within ${ANSWER_MS} ms; set DATABASE_URL`));
    expect(connections).toBe(1);
  });

  it('about a server that does not answer within the time in its URL', async () => {
    const [server, port] = await listening();
    const said = await failing({ DATABASE_URL: `postgres://127.0.0.1:${port}/waybill?connect_timeout=1` });
    server.close();
    expect(said).toContain('but it does not answer within 1000 ms; set DATABASE_URL');
  });

  it.each([
    ['at once', 'it broke the connection off'],
    ['when spoken to', `the server says: ${TERMINATED}`],
  ] as const)('about a server that is stopped meanwhile and closes the connection %s', async (breaksOff, reason) => {
    const { url, close } = await unwellPostgres(breaksOff);
    const said = await failing({ DATABASE_URL: url });
    close();
    expect(said).toBe(
      `Expected to use the database at '${url}', but ${reason}; ` +
        'set DATABASE_URL to a Postgres that this process may use.',
    );
  });

  it('about a server that accepts the login and then does not answer', async () => {
    const { url, close } = await unwellPostgres('never');
    const said = await failing({ DATABASE_URL: url });
    close();
    expect(said).toBe(
      `Expected to use the database at '${url}', but it accepts the connection and then does not answer within ${BUSY_MS} ms; ` +
        'set DATABASE_URL to a Postgres that this process may use.',
    );
  });

  it('about a database that does not exist', async () => {
    const url = new URL(database.url);
    url.pathname = '/nowhere';
    expect(await failing({ DATABASE_URL: url.href })).toMatch(
      /but the server says: database "nowhere" does not exist; set DATABASE_URL/,
    );
  });

  it('about a port that is in use, before a database is created', async () => {
    const [server, port] = await listening();
    const dataDir = newFolder();
    const said = await failing({ WAYBILL_DATA_DIR: dataDir, PORT: String(port) });
    server.close();
    expect(said).toBe(`Expected to listen on 127.0.0.1:${port}, but another process does; set PORT to a free port.`);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('about a data folder that cannot be created', async () => {
    expect(await failing({ WAYBILL_DATA_DIR: join(__filename, 'data') })).toBe(
      `Expected to keep the database in '${__filename}/data', but no folder can be made there; ` +
        'set WAYBILL_DATA_DIR to another folder, or set DATABASE_URL to use a Postgres of your own.',
    );
  });

  it('about an address that the machine does not have', async () => {
    expect(await failing({ DATABASE_URL: database.url, HOST: '192.0.2.1' })).toBe(
      'Expected to listen on 192.0.2.1:0, but this machine has no such address; set HOST to one that it has.',
    );
  });
});
