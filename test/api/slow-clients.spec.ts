import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { segmentsOf } from '../../src/application/kernel/log-segment.js';
import { USUAL_TIMES } from '../../src/api/http/client-times.js';
import { GetTask } from '../../src/projections/tasks/get-task.query.js';
import { lasting } from '../support/lasting.js';
import { until } from '../support/until.js';
import { fakeApplication, type FakeApplication } from './fake-application.js';

const MIB = 1024 * 1024;
const TASK = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';
const TIMES = { ...USUAL_TIMES, requestMs: 300, lookMs: 50, takenMs: 2_000 };

let api: FakeApplication;
let port: number;
const sockets: Socket[] = [];

beforeEach(async () => {
  api = await fakeApplication({ times: TIMES, bodies: { bodyBytes: MIB, bytesInFlight: 64 * MIB } });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  port = Number(new URL(await api.app.getUrl()).port);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await api.app.close();
});

async function connected(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function unfinished(bytes: number): Promise<Socket> {
  const socket = await connected();
  const head = `POST /v1/tasks/batch HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json`;
  socket.write(`${head}\r\ncontent-length: ${bytes}\r\n\r\n{"tasks":`);
  return socket;
}

const post = (bytes: number) =>
  fetch(`http://127.0.0.1:${port}/v1/queues/mail/tasks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"unknown":"${'x'.repeat(bytes)}"}`,
  });

async function drip(socket: Socket): Promise<void> {
  for (; !socket.destroyed && socket.writable; await lasting(50)) socket.write('x');
}

describe('a slow sender', () => {
  it('is answered with 408 and a problem, and 60 of them free their room by themselves', async () => {
    const senders = await Promise.all(Array.from({ length: 60 }, () => unfinished(MIB)));
    const answers = await Promise.all(senders.map((socket) => text(socket)));
    // 24 of them fit into what one holder may take: half of the three quarters of the room that are for large bodies.
    const late = answers.filter((answer) => answer.startsWith('HTTP/1.1 408'));
    expect(late).toHaveLength(60 - answers.filter((answer) => answer.includes('"OVERLOADED"')).length);
    expect(late.length).toBeGreaterThan(20);
    expect(late[0]).toContain('content-type: application/problem+json');
    expect(JSON.parse(late[0]!.slice(late[0]!.indexOf('{')))).toMatchObject({
      status: 408,
      code: 'REQUEST_TIMEOUT',
      detail: expect.stringMatching(/^Expected .+, but .+/),
    });
    // The room of the body is free again. It may be late itself, if this machine is busy.
    expect([400, 408]).toContain((await post(0.75 * MIB)).status);
  });

  it.each([
    ['sends a byte now and then', 'POST /v1/tasks/batch HTTP/1.1\r\nhost: localhost\r\nx-a: '],
    ['sends nothing', ''],
  ])('of headers has the same time, if it %s', async (_, begun) => {
    const socket = await connected();
    socket.write(begun);
    if (begun !== '') void drip(socket);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408/);
  });

  it.each([
    ['what is no request', 'NONSENSE\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    ['too large headers', `GET / HTTP/1.1\r\nx-a: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  ])('or one of %s gets a problem too', async (_, sent, status, code) => {
    const socket = await connected();
    socket.write(sent);
    const answer = await text(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`));
    expect(answer).toContain(`"code":"${code}"`);
  });
});

/** Takes a little now and then, so that the connection is never silent. */
async function sip(path: string): Promise<void> {
  const socket = await connected();
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  for (; !socket.destroyed; await lasting(20)) socket.read(1_000);
}

function connections(): Promise<number> {
  const server = api.app.getHttpServer() as Server;
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

const somebodyIsConnected = () => until('a connection', async () => ((await connections()) > 0 ? true : null));
const nobodyIsConnected = () => until('its end', async () => ((await connections()) === 0 ? true : null));

describe('a client that takes little of its answer, but steadily', () => {
  it('is left, and the answer makes room', async () => {
    api.queries.answer(GetTask, () => ({ traces: [], payload: 'x'.repeat(40 * MIB) }));
    void sip(`/v1/tasks/${TASK}`);
    await somebodyIsConnected();
    await nobodyIsConnected();
    const response = await fetch(`http://127.0.0.1:${port}/v1/tasks/${TASK}`);
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });

  const event = (position: bigint) => ({
    position,
    stream: 'queue-mail',
    revision: Number(position) - 1,
    id: TASK,
    recordedAt: '2026-11-21T08:00:00.000Z',
    event: { type: 'QueueResumed', version: 1, data: { queue: 'mail', by: 'x'.repeat(MIB) } },
    envelope: { actor: 'ann', correlationId: 'r-1' },
  });

  it.each(['/v1/events', '/v1/events/stream?after=0'])(
    'is left, and its page of events makes room: %s',
    async (path) => {
      let pages = 0;
      let reading = false;
      api.store.head = async () => 1_000_000n;
      api.store.scan = async ({ after }) => {
        pages++;
        return { events: Array.from({ length: 40 }, (_, n) => event(after + BigInt(n) + 1n)), reached: after + 40n };
      };
      api.live.open = () => {
        reading = true;
        return {
          lackingUpTo: async () => 1_000_000n,
          next: async () => segmentsOf([]),
          close: async () => void (reading = false),
        };
      };
      void sip(path);
      await somebodyIsConnected();
      await nobodyIsConnected();
      await until('the end of reading', async () => (reading ? null : true));
      expect(pages).toBeGreaterThan(0);
    },
  );
});
