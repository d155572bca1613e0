import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { Registry } from 'prom-client';
import { ClaimTasks } from '../../src/application/claims/claim-tasks.handler.js';
import type { ApiKey } from '../../src/api/access/api-keys.js';
import { Networks, networkOf } from '../../src/api/access/networks.js';
import { USUAL_TIMES } from '../../src/api/http/client-times.js';
import type { Access, WaybillHttpAdapter } from '../../src/api/http/http-adapter.js';
import { ACCESS_FAMILIES } from '../../src/api/metrics/access-families.js';
import { registerFamilies } from '../../src/api/metrics/families.js';
import { GetTask } from '../../src/projections/tasks/get-task.query.js';
import { GetProjectionLag } from '../../src/projections/lag/lag.queries.js';
import { ListLeaders } from '../../src/projections/system/leaders.queries.js';
import { until } from '../support/until.js';
import { fakeApplication, type FakeApplication } from './fake-application.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const TASK = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';
/** The clients of this spec have addresses of the loopback network, so that each can be another one. */
const [ATTACKER, OTHER, THIRD] = ['127.0.0.66', '127.0.0.1', '127.0.0.3'] as const;

const keyOf = (name: string): ApiKey => ({
  name,
  sha256: createHash('sha256').update(name).digest('hex'),
  may: ['read', 'enqueue', 'work', 'operate'],
});

let api: FakeApplication;
let port: number;
const sockets: Socket[] = [];

async function serve(access: Access = {}): Promise<void> {
  api = await fakeApplication({
    apiKeys: [keyOf('attacker'), keyOf('shop')],
    bodies: { bodyBytes: MIB, bytesInFlight: 8 * MIB },
    ...access,
  });
  api.queries.answer(GetTask, () => ({ traces: [], payload: 'mine' }));
  api.commands.answer(
    ClaimTasks,
    ({ request }) => new Promise((resolve) => request.signal.addEventListener('abort', () => resolve({ tasks: [] }))),
  );
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  port = Number(new URL(await api.app.getUrl()).port);
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await api.app.close();
});

const adapter = (): WaybillHttpAdapter => api.app.getHttpAdapter() as unknown as WaybillHttpAdapter;

/** A connection from an address. What it gets is kept, so that an answer before its first request is not missed. */
async function opened(localAddress: string = ATTACKER): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

const manyOpened = (count: number, address?: string): Promise<Socket[]> =>
  Promise.all(Array.from({ length: count }, () => opened(address)));

const KEY = 'authorization: Bearer attacker\r\n';
const JSON_TYPE = 'content-type: application/json\r\n';

/** What the server answers until it closes the connection, or until there is as much as was asked for. */
async function answersTo(sent: string | Buffer, count = 1): Promise<string[]> {
  const socket = await opened();
  socket.write(sent);
  let received = '';
  for await (const chunk of socket.setEncoding('utf8')) {
    received += chunk as string;
    if (received.split('HTTP/1.1 ').length > count && /\r\n\r\n/.test(received)) break;
  }
  return received
    .split('HTTP/1.1 ')
    .slice(1)
    .map((answer) => answer.slice(0, 3));
}

/** The status of a request of somebody else, from another address and with another key, while the attack goes on. */
async function statusOfOther(): Promise<number> {
  const socket = await opened(OTHER);
  socket.write(`GET /v1/tasks/${TASK} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer shop\r\nconnection: close\r\n\r\n`);
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(await text(socket))?.[1]);
}

function connections(): Promise<number> {
  const server = api.app.getHttpServer() as Server;
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

describe('connections', () => {
  it('of one address are at most half of those that others leave, and the next one is told', async () => {
    await serve({ connections: { connections: 40 } });
    await manyOpened(60);
    await until('some to be refused', async () => (adapter().rooms.connections.refusals === 40 ? true : null));
    expect(await connections()).toBe(20);
    const answer = await text(await opened());
    expect(answer).toMatch(/^HTTP\/1\.1 503 .*\r\n[^]*retry-after: 1\r\n[^]*"code":"TOO_MANY_CONNECTIONS"/);
    expect(answer).toContain(`of ${ATTACKER} to be at most what one address may have of 40`);
    expect(await statusOfOther()).toBe(200);
  });

  it('of one address may have a limit of their own', async () => {
    await serve({ connections: { connections: 40, connectionsPerAddress: 3 } });
    await manyOpened(10);
    await until('some to be refused', async () => (adapter().rooms.connections.refusals === 7 ? true : null));
    expect(await statusOfOther()).toBe(200);
  });

  it('of a trusted proxy may be all, and make room when they close', async () => {
    await serve({ connections: { connections: 40 }, trustedProxies: ['127.0.0.64/28'] });
    const held = await manyOpened(40);
    await until('all of them to be open', async () => (adapter().rooms.connections.inUse === 40 ? true : null));
    expect(await text(await opened(OTHER))).toContain('Expected the open connections to be at most 40, but');
    for (const socket of held.slice(0, 4)) socket.destroy();
    await until('four to leave', async () => (adapter().rooms.connections.inUse === 36 ? true : null));
    expect(await statusOfOther()).toBe(200);
  });

  it('of several addresses leave something for one more', async () => {
    await serve({ connections: { connections: 40 } });
    await manyOpened(60, ATTACKER);
    await manyOpened(60, THIRD);
    await until('the first two to have their shares', async () =>
      adapter().rooms.connections.inUse === 30 ? true : null,
    );
    expect(await statusOfOther()).toBe(200);
  });

  /** Longer than the test waits: only the time that the test sets closes a connection. */
  const LONG = { ...USUAL_TIMES, requestMs: 300_000, idleMs: 300_000, lookMs: 50 };

  it('that never send a request close by themselves', async () => {
    await serve({ times: { ...LONG, requestMs: 200 } });
    expect(await text(await opened())).toMatch(/^HTTP\/1\.1 408/);
  });

  it('that send no further request close by themselves', async () => {
    await serve({ times: { ...LONG, idleMs: 200 } });
    const answered = await opened();
    answered.write(`GET /healthz/live HTTP/1.1\r\nhost: x\r\n\r\n`);
    expect(await text(answered)).toMatch(/^HTTP\/1\.1 200/);
    // Fastify's own time is 72 s.
  });

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:10.0.0.7', '10.0.0.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['::1', '::/64'],
    ['unknown', 'unknown'],
  ])('count %s as %s', (address, network) => expect(networkOf(address)).toBe(network));

  it('know their proxies by address and network', () => {
    const networks = new Networks(['10.0.0.7', '10.1.0.0/16', 'fd00::/8']);
    const known = ['10.0.0.7', '::ffff:10.1.2.3', 'fd12::1'].map((address) => networks.have(address));
    expect([known, ['10.0.0.8', 'fe80::1', '', 'fd00::/64'].map((address) => networks.have(address))]).toEqual([
      [true, true, true],
      [false, false, false, false],
    ]);
  });
});

const HEAD = `POST /v1/tasks/batch HTTP/1.1\r\nhost: x\r\n${KEY}${JSON_TYPE}`;
const times = (count: number, what: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => what(n)).join('');
const chunked = `${HEAD}transfer-encoding: chunked\r\n\r\n`;
const gzipped = gzipSync(Buffer.alloc(64 * MIB, ' '));

/** Long enough for whatever arrives on a busy machine. */
const SHORT = { ...USUAL_TIMES, requestMs: 3_000, lookMs: 100 };

describe('what is no honest request', () => {
  beforeEach(() => serve({ times: SHORT }));

  it.each<[what: string, sent: string | Buffer, answers: string[]]>([
    ['headers without number', `GET / HTTP/1.1\r\nhost: x\r\n${times(1_500, () => 'a: 1\r\n')}\r\n`, ['431']],
    [
      'headers that hide how long the body is behind others',
      `POST /v1/tasks/batch HTTP/1.1\r\nhost: x\r\n${KEY}${JSON_TYPE}${times(2_100, () => 'a:\r\n')}transfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      ['431'],
    ],
    [
      'large headers',
      `GET / HTTP/1.1\r\nhost: x\r\n${times(10, (n) => `a${n}: ${'x'.repeat(4_000)}\r\n`)}\r\n`,
      ['431'],
    ],
    ['a long path', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, ['431']],
    [
      'a compressed body, however small it arrives',
      Buffer.concat([
        Buffer.from(`${HEAD}content-encoding: gzip\r\ncontent-length: ${gzipped.length}\r\n\r\n`),
        gzipped,
      ]),
      ['415'],
    ],
    ['a compression of the transfer', `${HEAD}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, ['415']],
    ['a length and chunks', `${HEAD}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /`, ['400']],
    ['two lengths', `${HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`, ['400']],
    ['a length that is no number', `${HEAD}content-length: 0x2\r\n\r\n{}`, ['400']],
    ['chunks that are not the last encoding', `${HEAD}transfer-encoding: chunked, gzip\r\n\r\n0\r\n\r\n`, ['400']],
    ['a giant chunk extension', `${chunked}1;${'x'.repeat(20_000)}\r\n{\r\n0\r\n\r\n`, ['413']],
    ['a giant chunk that does not come', `${chunked}ffffffffff\r\n{`, ['408']],
    ['chunks without number', `${chunked}${times(20_000, () => '1\r\n{\r\n')}0\r\n\r\n`, ['400']],
    ['trailers without end', `${chunked}0\r\n${times(10, (n) => `a${n}: ${'x'.repeat(4_000)}\r\n`)}\r\n`, ['431']],
    ['line folding', `GET / HTTP/1.1\r\nhost: x\r\na: 1\r\n b\r\n\r\n`, ['400']],
    ['a bare carriage return', `GET / HTTP/1.1\r\nhost: x\r\na: 1\rb\r\n\r\n`, ['400']],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', ['400']],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ['400', '505']],
  ])('is refused, and others are answered: %s', async (_, sent, answers) => {
    const [status] = await answersTo(sent);
    expect(answers).toContain(status);
    expect(await statusOfOther()).toBe(200);
    await until('nothing to be held', async () => (adapter().rooms.bodies.inUse === 0 ? true : null));
  });

  it.each([
    ['closes after its answer', '', false],
    ['is kept if it asks for that', 'connection: keep-alive\r\n', true],
  ])('a connection of HTTP/1.0 %s', async (_, header, isKept) => {
    const socket = await opened();
    const request = `GET /healthz/live HTTP/1.0\r\n${header}\r\n`;
    socket.write(request);
    await once(socket, 'data');
    if (!isKept)
      return void (await until('it to close', async () =>
        socket.readableEnded || socket.destroyed ? true : socket.resume() && null,
      ));
    socket.write(request);
    expect(String((await once(socket, 'data'))[0])).toContain('200 OK');
  });

  it('that asks to continue and never does holds no more than its share', async () => {
    const asking = `${HEAD}content-length: ${MIB}\r\nexpect: 100-continue\r\n\r\n`;
    for (const socket of await manyOpened(30)) socket.write(asking);
    await until('some to be refused', async () => (adapter().rooms.bodies.refusals >= 27 ? true : null));
    expect(adapter().rooms.bodies.inUse).toBeLessThanOrEqual(3 * MIB);
    expect(await statusOfOther()).toBe(200);
  });

  it('that never ends its head holds nothing, however many there are', async () => {
    for (const socket of await manyOpened(300)) socket.write(`POST /v1/tasks/batch HTTP/1.1\r\nhost: x\r\nx-a: `);
    expect(await statusOfOther()).toBe(200);
    expect(adapter().rooms.bodies.inUse).toBe(0);
  });
});

describe('requests that do not wait for their answers', () => {
  beforeEach(() => serve({ times: SHORT }));

  const claim = JSON.stringify({ worker: 'w', waitMs: 60_000 });
  const waiting = `POST /v1/queues/mail/claims HTTP/1.1\r\nhost: x\r\n${KEY}${JSON_TYPE}content-length: ${claim.length}\r\n\r\n${claim}`;

  it('are handled up to a number, and the connection closes behind the first one beyond', async () => {
    const socket = await opened();
    socket.write(times(5_000, () => waiting));
    await until('as many to wait as may', async () => (adapter().rooms.waitingClaims.inUse === 100 ? true : null));
    expect(await statusOfOther()).toBe(200);
    expect(adapter().rooms.waitingClaims.inUse).toBe(100);
    socket.destroy();
    await until('their places to be free', async () => (adapter().rooms.waitingClaims.inUse === 0 ? true : null));
  });

  it('are told why', async () => {
    const answers = await answersTo(
      times(150, () => `GET /v1/tasks/${TASK} HTTP/1.1\r\nhost: x\r\n${KEY}\r\n`),
      101,
    );
    expect(answers.slice(0, 101)).toEqual([...Array.from({ length: 100 }, () => '200'), '429']);
  });
});

describe('a crowded room', () => {
  const settled = () => {
    api.queries.answer(GetProjectionLag, () => []);
    api.queries.answer(ListLeaders, () => []);
  };

  /** The samples of the rooms, by the name of the room. */
  async function measured(family: string): Promise<Record<string, number>> {
    const registry = new Registry();
    registerFamilies(registry, ACCESS_FAMILIES, [adapter()]);
    const samples = (await registry.metrics()).matchAll(new RegExp(`^${family}{room="(\\w+)"} (\\S+)$`, 'gm'));
    return Object.fromEntries(Array.from(samples, ([, room, value]) => [room, Number(value)]));
  }

  it.each(['bodies', 'smallBodies', 'answers', 'waitingClaims', 'streams', 'connections'] as const)(
    'makes the process degraded, and no less ready: %s',
    async (room) => {
      await serve();
      settled();
      const { rooms } = adapter();
      const named = room.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const most = Math.ceil((rooms[room].most * 7) / 8);
      rooms[room].spend('attacker', most - 1 - rooms[room].inUse);
      expect((await api.app.inject('/healthz/ready')).json()).toMatchObject({ status: 'ok' });
      rooms[room].spend('attacker', 1);
      const ready = await api.app.inject('/healthz/ready');
      expect([ready.statusCode, ready.json()]).toMatchObject([
        200,
        { status: 'degraded', details: { rooms: { status: 'degraded', crowded: [named] } } },
      ]);
      expect((await measured('waybill_room_used_ratio'))[named]).toBeCloseTo(7 / 8, 2);
      expect((await measured('waybill_room_refusals_total'))[named]).toBe(0);
      expect(rooms[room].take('attacker', 1)).toBe('share');
      expect(await measured('waybill_room_refusals_total')).toEqual({
        bodies: 0,
        small_bodies: 0,
        answers: 0,
        waiting_claims: 0,
        streams: 0,
        followers: 0,
        connections: 0,
        [named]: 1,
      });
      rooms[room].giveBack('attacker', most);
    },
  );

  it('is looked at once for all that ask whether the process is ready, because anybody may ask', async () => {
    await serve();
    settled();
    await Promise.all(Array.from({ length: 200 }, () => api.app.inject('/healthz/ready')));
    const looks = api.queries.executed.filter((query) => query instanceof GetProjectionLag);
    expect(looks.length).toBeLessThan(100);
    const before = looks.length;
    await api.app.inject('/healthz/ready');
    expect(api.queries.executed.filter((query) => query instanceof GetProjectionLag)).toHaveLength(before + 1);
  });
});
