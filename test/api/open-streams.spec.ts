import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RecordedEvent } from '../../src/application/kernel/event-store.port.js';
import type { ApiKey } from '../../src/api/access/api-keys.js';
import { OpenStreams, USUAL_STREAMS } from '../../src/api/access/open-streams.js';
import { USUAL_TIMES } from '../../src/api/http/client-times.js';
import { StreamGate } from '../../src/api/http/stream-gate.js';
import type { WaybillHttpAdapter } from '../../src/api/http/http-adapter.js';
import { until } from '../support/until.js';
import { fakeApplication, type FakeApplication } from './fake-application.js';

const FOLLOW = '/v1/events/stream';

const keyOf = (text: string, more: Partial<ApiKey> = {}): ApiKey => ({
  name: text,
  sha256: createHash('sha256').update(text).digest('hex'),
  may: ['read', 'metrics'],
  ...more,
});

const event: RecordedEvent = {
  position: 1n,
  stream: 'queue-mail',
  revision: 0,
  id: '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f',
  recordedAt: '2026-11-21T08:00:00.000Z',
  event: { type: 'QueueResumed', version: 1, data: { queue: 'mail', by: 'ann' } },
  envelope: { actor: 'ann', correlationId: 'r-1' },
};

let api: FakeApplication;
let port: number;
afterEach(() => api.app.close());

/** A service whose log stays as it is. */
async function serve(apiKeys?: readonly ApiKey[]): Promise<void> {
  api = await fakeApplication({ apiKeys, streamLimits: { streamsPerHolder: 2, streams: 3 } });
  api.live.open = () => ({
    lackingUpTo: async () => null,
    next: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve([]))),
    close: async () => undefined,
  });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  port = Number(new URL(await api.app.getUrl()).port);
}

const adapter = (): WaybillHttpAdapter => api.app.getHttpAdapter() as unknown as WaybillHttpAdapter;

async function open(path: string, key?: string): Promise<IncomingMessage> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const [response] = (await once(get({ host: '127.0.0.1', port, path, headers, agent: false }), 'response')) as [
    IncomingMessage,
  ];
  response.on('error', () => undefined);
  return response;
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
  return text;
}

const left = (count: number) =>
  until('a stream to leave', async () => (adapter().streams.open === count ? true : null));

it('given as many streams of a holder as it may have, refuses another one until one ends', async () => {
  await serve([keyOf('ann'), keyOf('bob')]);
  const first = await open(FOLLOW, 'ann');
  await open(FOLLOW, 'ann');
  const refused = await open(FOLLOW, 'ann');
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '10']);
  expect(JSON.parse(await bodyOf(refused))).toMatchObject({
    code: 'TOO_MANY_STREAMS',
    detail: "Expected at most 2 event streams of API key 'ann' at once, but this would be one more: try again in 10 s",
  });
  expect((await open(FOLLOW, 'bob')).statusCode).toBe(200);
  first.destroy();
  await left(2);
  expect((await open(FOLLOW, 'ann')).statusCode).toBe(200);
});

it('given as many streams as there may be in all, refuses one of another holder', async () => {
  await serve([keyOf('ann'), keyOf('bob')]);
  for (const key of ['ann', 'ann', 'bob']) await open(FOLLOW, key);
  expect(JSON.parse(await bodyOf(await open(FOLLOW, 'bob')))).toMatchObject({
    code: 'TOO_MANY_STREAMS',
    detail: 'Expected at most 3 event streams of all clients at once, but this would be one more: try again in 10 s',
  });
});

it('given a service without API keys, counts streams by address', async () => {
  await serve();
  await open(FOLLOW);
  await open(FOLLOW);
  expect((await open(FOLLOW)).statusCode).toBe(429);
});

it('given reads that end or are refused, keeps no place for them', async () => {
  await serve([keyOf('ann')]);
  for (let round = 0; round < 5; round++) await bodyOf(await open('/v1/events', 'ann'));
  api.store.readStreams = async (streams) => streams.map(() => []);
  for (let round = 0; round < 5; round++) expect((await open(`${FOLLOW}?queue=none`, 'ann')).statusCode).toBe(404);
  await left(0);
});

it('given a key that is revoked, ends its streams and no other', async () => {
  await serve([keyOf('ann'), keyOf('bob')]);
  const [ann, bob] = [await open(FOLLOW, 'ann'), await open(FOLLOW, 'bob')];
  adapter().keys!.replace([keyOf('bob')]);
  expect(await bodyOf(ann)).toBe('retry: 1000\nid: 0\n\n');
  await left(1);
  expect(bob.complete).toBe(false);
  expect((await open(FOLLOW, 'ann')).statusCode).toBe(401);
});

it.each([
  ['answers a read that has sent nothing with 401', 0],
  ['cuts off a read that has begun, so that nobody takes it for complete', 1],
])('given a key that is revoked, %s', async (_, sent) => {
  await serve([keyOf('ann')]);
  api.store.head = async () => 1_000_000_000n;
  let scans = 0;
  api.store.scan = async ({ after }) => ({ events: scans++ < sent ? [event] : [], reached: after + 1n });
  const reading = open('/v1/events', 'ann').then(bodyOf);
  await until('the read to go on', async () => (scans > 1 ? true : null));
  adapter().keys!.replace([keyOf('bob')]);
  if (sent > 0) await expect(reading).rejects.toThrow(/aborted/);
  else expect(JSON.parse(await reading)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
});

it('given a key that may do something else from now on, ends its streams', async () => {
  await serve([keyOf('ann')]);
  const stream = await open(FOLLOW, 'ann');
  adapter().keys!.replace([keyOf('ann', { may: ['read:mail'] })]);
  await bodyOf(stream);
  await left(0);
});

it('given a key that expires, ends its streams', async () => {
  await serve([keyOf('ann')]);
  // A busy machine may need longer for a request.
  const stream = await until('a stream that opens before its key expires', async () => {
    adapter().keys!.replace([keyOf('ann', { expiresAt: new Date(Date.now() + 1_000).toISOString() })]);
    const opened = await open(FOLLOW, 'ann');
    return opened.statusCode === 200 ? opened : null;
  });
  await bodyOf(stream);
  await left(0);
});

it('given a client that takes nothing, closes its connection', async () => {
  await serve();
  const gate = new StreamGate(null, new OpenStreams(USUAL_STREAMS), { ...USUAL_TIMES, stalledMs: 100 });
  const server = createServer((request, raw) => {
    const taken = { ip: '::1', principal: null, person: null, raw: request } as FastifyRequest;
    gate.admit(taken, { raw, request: taken } as FastifyReply);
    const more = (): void => {
      while (raw.write('x'.repeat(65_536)));
      raw.once('drain', more);
    };
    more();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until('the stream to be open', async () => (gate.open === 1 ? true : null));
  await until('the stream to be closed', async () => (gate.open === 0 ? true : null));
  client.destroy();
  server.close();
});
