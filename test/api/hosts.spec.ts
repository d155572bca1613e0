import type { InjectOptions } from 'fastify';
import { Hosts } from '../../src/api/access/hosts.js';
import { createHash } from 'node:crypto';
import { fakeApplication, type FakeApplication } from './fake-application.js';

let api: FakeApplication;
let keyed: FakeApplication;
beforeAll(async () => {
  api = await fakeApplication({ hosts: ['Waybill', '[fd00::7]'] });
  const sha256 = createHash('sha256').update('mine').digest('hex');
  keyed = await fakeApplication({ apiKeys: [{ name: 'ann', sha256, may: ['operate'] }] });
});
afterAll(() => Promise.all([api.app.close(), keyed.app.close()]));

/** The request that a page of `host` can make a browser send, if the browser takes the service for that host. */
const pause = (host: string): InjectOptions => ({
  method: 'POST',
  url: '/v1/queues/mail/pause',
  headers: { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' },
});

describe('without API keys', () => {
  it.each([
    'evil.example:3000',
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example:3000',
    '192.168.1.7:3000',
    '[fd00::8]',
  ])('refuses a page of %j, whose name points to the service', async (host) => {
    const { statusCode, body } = await api.app.inject(pause(host));
    const name = host.replace(':3000', '');
    expect([statusCode, JSON.parse(body)]).toEqual([
      421,
      expect.objectContaining({
        code: 'HOST_NOT_SERVED',
        detail: `Expected a request to one of the hosts localhost, waybill, [fd00::7], but it is to '${name}': add that name to WAYBILL_HOSTS, or require API keys with WAYBILL_API_KEYS`,
      }),
    ]);
    expect(api.commands.executed).toEqual([]);
  });

  it.each([
    'localhost',
    'LOCALHOST:3000',
    'localhost.',
    '127.0.0.1:3000',
    '127.1.2.3',
    '[::1]:3000',
    'waybill:3000',
    'WAYBILL',
    '[fd00::7]:80',
  ])('answers %s', async (host) => {
    api.commands.forget();
    await api.app.inject(pause(host));
    expect(api.commands.executed).toHaveLength(1);
    api.commands.forget();
  });

  it.each(['/', '/dashboard/', '/docs', '/openapi.json', '/metrics', '/v1/queues', '/nowhere'])(
    'refuses an unknown host name at %s',
    async (url) => {
      expect((await api.app.inject({ url, headers: { host: 'evil.example' } })).statusCode).toBe(421);
    },
  );

  it('answers health checks by any address of the process', async () => {
    const { statusCode } = await api.app.inject({ url: '/healthz/live', headers: { host: '10.1.2.3:3000' } });
    expect(statusCode).toBe(200);
    const ready = await api.app.inject({ url: '/healthz/ready', headers: { host: '10.1.2.3:3000' } });
    expect(ready.statusCode).not.toBe(421);
  });
});

it('given an API key, answers to any host name', async () => {
  const { headers, ...rest } = pause('waybill.example');
  await keyed.app.inject({ ...rest, headers: { ...headers, authorization: 'Bearer mine' } });
  expect(keyed.commands.executed).toHaveLength(1);
});

it('refuses a request without a host', () => {
  expect(() => new Hosts([]).assertServed(undefined)).toThrow("but it is to ''");
});
