import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { fakeApplication, type FakeApplication } from './fake-application.js';

const MIB = 1024 * 1024;

let api: FakeApplication;
let port: number;
const sockets: Socket[] = [];

beforeEach(async () => {
  api = await fakeApplication({ bodies: { bodyBytes: MIB, bytesInFlight: 2 * MIB } });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  port = Number(new URL(await api.app.getUrl()).port);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await api.app.close();
});

/** Sends the head of a request and the beginning of its body, and no more. */
async function unfinished(declared: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(
    `POST /v1/tasks/batch HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${declared}\r\n\r\n`,
  );
  return socket;
}

const post = (bytes: number) =>
  fetch(`http://127.0.0.1:${port}/v1/queues/mail/tasks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"unknown":"${'x'.repeat(bytes)}"}`,
  });

/** The status of the answer once it is no longer `before`: sockets take a while to arrive, and to leave. */
async function statusAfter(before: number, bytes: number): Promise<Response> {
  for (;;) {
    const response = await post(bytes);
    if (response.status !== before) return response;
    await response.text();
  }
}

describe('the bytes of bodies in progress', () => {
  it.each([
    ['a length', `content-length: ${MIB}`],
    ['no length', 'transfer-encoding: chunked'],
  ])('are limited, those of unfinished bodies with %s included', async (_, declared) => {
    await unfinished(declared);
    const refused = await statusAfter(400, MIB * 0.75);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ code: 'OVERLOADED', detail: expect.stringContaining('1572864') });
  });

  it('leave a quarter to small bodies, such as heartbeats', async () => {
    await unfinished(`content-length: ${MIB}`);
    await (await statusAfter(400, MIB * 0.75)).text();
    expect((await post(10_000)).status).toBe(400);
  });

  it('are free again when the client has left', async () => {
    const socket = await unfinished(`content-length: ${MIB}`);
    await (await statusAfter(400, MIB * 0.75)).text();
    socket.destroy();
    expect((await statusAfter(503, MIB * 0.75)).status).toBe(400);
  });

  it('are free again when the request was answered', async () => {
    for (let n = 0; n < 5; n++) expect((await post(MIB * 0.75)).status).toBe(400);
  });

  it('are refused with an answer that the client sees, however large the body is', async () => {
    const response = await post(20 * MIB);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'BODY_TOO_LARGE', detail: expect.stringContaining('1048576') });
  });

  it('refuse a body that is too large in itself at once', async () => {
    const socket = await unfinished(`content-length: ${MIB + 1}`);
    socket.end();
    expect(await text(socket)).toContain('BODY_TOO_LARGE');
  });
});
