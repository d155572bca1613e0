import { followTask } from '@waybill/client/follow';
import express, { type Express } from 'express';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { createWaybill, startWaybill, type EmbeddedWaybill } from '../../src/index.js';
import { type Host, HOSTS, listening } from '../support/mounting-applications.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const SHOP = 'https://shop.example.com';
const FOLLOW = { followSecrets: ['k3Jx0v2Q1mZr8uYp5tWb7nLc9sDf6hGa'], followOrigins: [SHOP] };

let database: TestDatabase;
let waybill: EmbeddedWaybill;
beforeAll(async () => {
  database = await createTestDatabase();
  const http = { path: '/ops', frameAncestors: ['self', 'https://desk.example.com'], ...FOLLOW };
  waybill = await startWaybill({ databaseUrl: database.url, roles: ['projector'], http });
});
afterAll(async () => {
  await waybill.stop();
  await database.drop();
});

describe.each(HOSTS)('mounted in %s behind its login', (name, start) => {
  let host: Host;
  beforeAll(async () => void (host = await start(waybill)));
  afterAll(() => host.close());

  const ask = (path: string, init: RequestInit & { readonly person?: string | null } = {}) => {
    const { person = 'ann', ...rest } = init;
    const headers = { ...(rest.headers as object), ...(person !== null && { cookie: `session=${person}` }) };
    return fetch(host.url + path, { redirect: 'manual', ...rest, headers });
  };

  it('leads from its path to the page, all of which lies below that', async () => {
    for (const path of ['/ops', '/ops/', '/ops/dashboard']) {
      const { status, headers } = await ask(path);
      expect([path, status, headers.get('location')]).toEqual([path, 302, '/ops/dashboard/']);
    }
    const page = await ask('/ops/dashboard/');
    expect(page.status).toBe(200);
    const parts = Array.from((await page.text()).matchAll(/(?:href|src)="([^"]+)"/g), ([, part]) => part!);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) {
      const address = new URL(part, `${host.url}/ops/dashboard/`);
      expect([part, address.pathname.startsWith('/ops/dashboard/')]).toEqual([part, true]);
      expect([part, (await ask(address.pathname)).status]).toEqual([part, 200]);
    }
  });

  it('records the signed-in person, whatever name the browser claims', async () => {
    const queue = `of-${name}`;
    const body = { method: 'PUT', body: '{"description":"d"}' };
    const headers = { 'content-type': 'application/json', 'waybill-actor': 'bob', 'x-forwarded-user': 'bob' };
    const made = await ask(`/ops/v1/queues/${queue}`, { ...body, headers });
    expect(made.status).toBeLessThan(300);
    const events = [];
    for await (const event of waybill.waybill.events({ queue })) events.push(event.envelope.actor);
    expect(events).toEqual(['ann']);
    expect(await (await ask('/ops/v1/me')).json()).toMatchObject({ actor: 'ann', person: 'ann' });
  });

  it('names what it has created by an address below its path', async () => {
    await waybill.waybill.queue('created').define({}, { replace: true });
    const made = await ask('/ops/v1/queues/created/tasks', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(made.status).toBe(201);
    const location = made.headers.get('location')!;
    expect(location).toMatch(/^\/ops\/v1\/tasks\//);
    expect((await ask(location)).status).toBe(200);
  });

  it('answers nobody who is not signed in', async () => {
    for (const path of ['/ops/dashboard/', '/ops/v1/queues', '/ops/metrics', '/ops/healthz/live', '/ops/nowhere'])
      expect([path, (await ask(path, { person: null })).status]).toEqual([path, 401]);
  });

  it('takes no command that a browser sends for a foreign page', async () => {
    const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
    expect((await ask('/ops/v1/queues/created/pause', { method: 'POST', ...foreign })).status).toBe(403);
  });

  it('works under any name of the application, and in frames of whom it names', async () => {
    const sent = get(`${host.url}/ops/dashboard/`, { headers: { host: 'app.example.com', cookie: 'session=ann' } });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    const policy = String(response.headers['content-security-policy']);
    expect(policy).toContain("frame-ancestors 'self' https://desk.example.com");
    response.destroy();
  });

  it('leaves the rest to the application', async () => {
    expect(await (await ask('/', { person: null })).text()).toBe('the application');
    expect((await ask('/v1/queues')).status).toBe(404);
    expect((await ask('/opsy')).status).toBe(404);
  });

  it('lets a visitor who is not signed in follow the task of a token', async () => {
    const queue = waybill.waybill.queue(`followed-in-${name}`);
    await queue.define();
    const { id } = await queue.enqueue();
    const { token } = await waybill.waybill.task(id).followToken();
    const messages = followTask(`${host.url}/ops`, token);
    expect((await messages.next()).value).toMatchObject({ task: id, state: 'pending' });
    await messages.return(undefined);
    const preflight = { method: 'OPTIONS', person: null, headers: { origin: SHOP } };
    expect((await ask(`/ops/v1/tasks/${id}/follow`, preflight)).headers.get('access-control-allow-origin')).toBe(SHOP);
    expect(
      (await ask(`/ops/v1/tasks/${id}`, { person: null, headers: { authorization: `Bearer ${token}` } })).status,
    ).toBe(403);
  });

  it('follows what changes', async () => {
    const url = `${host.url}/ops`;
    const abort = new AbortController();
    const client = createWaybill({ url, headers: { cookie: 'session=ann' } });
    const { position } = await client.queue('streamed').define({}, { replace: true });
    const notices = client.followChanges({ after: String(BigInt(position!) - 1n), signal: abort.signal });
    expect((await notices.next()).value).toMatchObject({ type: 'Changed' });
    abort.abort();
  });
});

it('says so if a parser has read the body before', async () => {
  const app: Express = express();
  app.use(express.json());
  app.use('/ops', (request, response) => waybill.serve(request, response, 'ann'));
  const host = await listening(createServer(app));
  const sent = { method: 'PUT', body: '{"description":"d"}', headers: { 'content-type': 'application/json' } };
  const response = await fetch(`${host.url}/ops/v1/queues/late`, sent);
  expect([response.status, await response.text()]).toEqual([
    500,
    'Expected Waybill to get requests before their bodies are read, but a parser of bodies comes first\n',
  ]);
  await host.close();
});

it.each([
  [{ path: 'ops' }, 'http.path'],
  [{ path: '/ops/' }, 'http.path'],
  [{ path: '/' }, 'http.path'],
  [{ path: '/ops', frameAncestors: ["'none'; script-src *"] }, 'http.frameAncestors'],
  [{ path: '/ops', followOrigins: ['*'] }, 'http.followOrigins'],
  [{ path: '/ops', followSecrets: ['short'] }, 'http.followSecrets'],
])('cannot be mounted at %j', async (http, option) => {
  await expect(startWaybill({ http })).rejects.toThrow(new RegExp(`^Expected ${option} to be`));
});
