import { fakeApplication, type FakeApplication } from './fake-application.js';

/** One application with API keys, and one without. */
let api: FakeApplication;
let open: FakeApplication;
beforeAll(async () => {
  api = await fakeApplication({ apiKeys: [{ name: 'shop', sha256: '0'.repeat(64), may: ['read'] }] });
  open = await fakeApplication({ hosts: ['waybill'] });
});
afterAll(() => Promise.all([api.app.close(), open.app.close()]));

const get = (url: string) => api.app.inject(url);

describe('the dashboard', () => {
  it('is served completely to a browser without an API key', async () => {
    const page = await get('/dashboard/');
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const parts = [...page.body.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, name]) => name!);
    // What the script imports is named, too, so that a browser loads it beside it.
    expect(parts.filter((name) => !/^part-[A-Z0-9]{8}\.js$/.test(name)).sort()).toEqual([
      expect.stringMatching(/^app-[A-Z0-9]{8}\.js$/),
      'icon.svg',
      expect.stringMatching(/^style-[A-Z0-9]{8}\.css$/),
    ]);
    for (const part of parts) expect([part, (await get(`/dashboard/${part}`)).statusCode]).toEqual([part, 200]);
  });

  it('is reached from the address alone', async () => {
    for (const path of ['/', '/dashboard']) {
      const { statusCode, headers } = await get(path);
      expect([path, statusCode, headers.location]).toEqual([path, 302, '/dashboard/']);
    }
  });

  it('is loaded anew after an upgrade', async () => {
    expect((await get('/dashboard/')).headers['cache-control']).toBe('no-cache');
  });

  it.each([
    'nowhere.js',
    '../package.json',
    '%2e%2e/package.json',
    '..%2fpackage.json',
    '..\\package.json',
    '/etc/passwd',
  ])('has no page at %s', async (path) => {
    const { statusCode, body } = await open.app.inject(`/dashboard/${path}`);
    expect([statusCode, JSON.parse(body).code]).toEqual([404, 'ROUTE_NOT_FOUND']);
  });
});

describe('a request that a browser sends for a foreign page', () => {
  const command = (headers: object) =>
    open.app.inject({ method: 'POST', url: '/v1/queues/mail/pause', headers: { host: 'waybill:8080', ...headers } });

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://waybill:8080' },
    { origin: 'http://elsewhere.example' },
    { origin: 'http://waybill:9090' },
    { origin: 'null' },
  ])('cannot be a command (%j)', async (headers) => {
    const { statusCode, body } = await command(headers);
    expect([statusCode, JSON.parse(body)]).toEqual([403, expect.objectContaining({ code: 'FORBIDDEN' })]);
    expect(open.commands.executed).toEqual([]);
    expect((await open.app.inject({ url: '/healthz/live', headers })).statusCode).toBe(200);
  });

  it.each([
    { 'sec-fetch-site': 'same-origin', origin: 'https://before-a-proxy.example' },
    { 'sec-fetch-site': 'none' },
    { origin: 'http://waybill:8080' },
    {},
  ])('is told apart from those of the dashboard, a person or a program (%j)', async (headers) => {
    await command(headers);
    expect(open.commands.executed).toHaveLength(1);
    open.commands.forget();
  });
});
