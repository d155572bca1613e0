import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { GetTask } from '../../src/projections/tasks/get-task.query.js';
import { fakeApplication, type FakeApplication } from './fake-application.js';

const MIB = 1024 * 1024;
const TASK = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';

let api: FakeApplication;
let port: number;
let answerBytes: number;
const sockets: Socket[] = [];

beforeEach(async () => {
  api = await fakeApplication({ bodies: { bodyBytes: MIB, bytesInFlight: 16 * MIB } });
  api.queries.answer(GetTask, () => ({ traces: [], payload: 'x'.repeat(answerBytes) }));
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  port = Number(new URL(await api.app.getUrl()).port);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await api.app.close();
});

/** Asks, and takes nothing of the answer. */
async function askOnly(): Promise<void> {
  const asked = api.queries.executed.length;
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET /v1/tasks/${TASK} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  while (api.queries.executed.length === asked) await new Promise(setImmediate);
}

const ask = (): Promise<Response> => fetch(`http://127.0.0.1:${port}/v1/tasks/${TASK}`);

describe('the bytes of answers that clients have not taken', () => {
  it('are limited: given 12 of 16 MiB, when another 12 are asked for, then the answer is 503', async () => {
    answerBytes = 12 * MIB;
    await askOnly();
    const refused = await ask();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    expect(await refused.json()).toMatchObject({
      code: 'OVERLOADED',
      detail: expect.stringContaining('16777216'),
      instance: `/v1/tasks/${TASK}`,
    });
  });

  it('do not count small answers, which are given in any case', async () => {
    answerBytes = 12 * MIB;
    await askOnly();
    answerBytes = 10_000;
    expect((await ask()).status).toBe(200);
  });

  it('are free again when a client has left', async () => {
    answerBytes = 12 * MIB;
    await askOnly();
    sockets[0]!.destroy();
    let response = await ask();
    while (response.status === 503) {
      await response.text();
      response = await ask();
    }
    expect(((await response.json()) as { payload: string }).payload).toHaveLength(12 * MIB);
  });

  it('are free again when a client has taken its answer, however large, over the same connection', async () => {
    answerBytes = 20 * MIB;
    for (let n = 0; n < 3; n++) {
      const response = await ask();
      expect(response.status).toBe(200);
      await response.text();
    }
  });
});
