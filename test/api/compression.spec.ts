import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { GetTask } from '../../src/projections/tasks/tasks.queries.js';
import { fakeApplication, type FakeApplication } from './fake-application.js';

const TASK = '/v1/tasks/019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';
const EXPANDED: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync };

let api: FakeApplication;
beforeEach(async () => {
  api = await fakeApplication();
  api.queries.answer(GetTask, () => ({ traces: [], payload: 'x'.repeat(200_000) }));
});
afterEach(() => api.app.close());

async function ask(url: string, accepted?: string, method: 'GET' | 'POST' = 'GET', headers = {}, payload?: object) {
  const asked = { ...headers, ...(accepted !== undefined && { 'accept-encoding': accepted }) };
  const given = { method, url: await pathOf(url), headers: asked, ...(payload && { payload }) };
  const { statusCode, headers: said, rawPayload } = await api.app.inject(given);
  return { status: statusCode, encoding: said['content-encoding'], vary: said['vary'], bytes: rawPayload };
}

/** The program of the page, whatever its name. */
const PAGE = 'the page';

async function pathOf(url: string): Promise<string> {
  if (url !== PAGE) return url;
  const { body } = await api.app.inject('/dashboard/');
  return `/dashboard/${/<script[^>]* src="([^"]+)"/.exec(body)![1]!}`;
}

it.each([
  [TASK, 'br, gzip', 'br'],
  [TASK, 'gzip, deflate', 'gzip'],
  [PAGE, 'gzip, deflate, br, zstd', 'br'],
  [PAGE, 'gzip', 'gzip'],
  ['/openapi.json', 'gzip', 'gzip'],
])(
  'sends %s to a client that accepts %s as %s, and the same to one that accepts nothing',
  async (url, accepted, as) => {
    const [compressed, plain] = [await ask(url, accepted), await ask(url)];
    expect([compressed.encoding, plain.encoding]).toEqual([as, undefined]);
    expect(compressed.vary).toContain('accept-encoding');
    expect(EXPANDED[as]!(compressed.bytes).equals(plain.bytes)).toBe(true);
    expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 2);
  },
);

it('leaves an answer of a kilobyte as it is', async () => {
  const { encoding, bytes } = await ask('/v1/me', 'gzip');
  expect([encoding, JSON.parse(bytes.toString())]).toEqual([
    undefined,
    expect.objectContaining({ actor: 'anonymous' }),
  ]);
});

it('leaves the answers to commands as they are', async () => {
  const wrong = { tasks: Array.from({ length: 50 }, () => ({ queue: 'mail', priority: 'high' })) };
  const { encoding, bytes } = await ask('/v1/tasks/batch', 'gzip', 'POST', {}, wrong);
  expect(bytes.length).toBeGreaterThan(2_000);
  expect([encoding, JSON.parse(bytes.toString())]).toEqual([undefined, expect.objectContaining({ status: 400 })]);
});

it('answers HEAD without a body', async () => {
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { status, body } = await fetch((await api.app.getUrl()) + (await pathOf(PAGE)), { method: 'HEAD' });
  expect([status, body]).toEqual([200, null]);
});

it.each(['/v1/events/stream', '/v1/changes/stream'])('never holds back a stream: %s', async (path) => {
  api.live.open = () => ({
    lackingUpTo: async () => null,
    next: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve([]))),
    close: async () => undefined,
  });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const sent = get(`${await api.app.getUrl()}${path}`, { headers: { 'accept-encoding': 'br, gzip' }, agent: false });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const [first] = (await once(response, 'data')) as [Buffer];
  expect([response.headers['content-encoding'], first.toString()]).toEqual([undefined, 'retry: 1000\nid: 0\n\n']);
  response.destroy();
});

it('still takes no compressed body', async () => {
  const { status } = await ask('/v1/transactions', 'gzip', 'POST', { 'content-encoding': 'gzip' });
  expect(status).toBe(415);
});
