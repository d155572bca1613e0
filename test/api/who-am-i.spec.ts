import { createHash } from 'node:crypto';
import { type ApiKey, PERMISSIONS } from '../../src/api/access/api-keys.js';
import { fakeApplication, type FakeApplication } from './fake-application.js';

const keyOf = (name: string, may: ApiKey['may'], more: Partial<ApiKey> = {}): ApiKey => ({
  name,
  may,
  sha256: createHash('sha256').update(`wb_${name}`).digest('hex'),
  ...more,
});

let keyed: FakeApplication;
let open: FakeApplication;
beforeAll(async () => {
  const quota = { requestsPerMinute: 600 };
  keyed = await fakeApplication({
    apiKeys: [
      keyOf('boss', PERMISSIONS, { quota }),
      keyOf('mailer', ['metrics', 'read:sms', 'read:mail', 'enqueue']),
      keyOf('worker', ['work'], { expiresAt: '2040-01-01T00:00:00Z' }),
    ],
  });
  open = await fakeApplication();
});
afterAll(() => Promise.all([keyed.app.close(), open.app.close()]));

const ask = (api: FakeApplication, headers: Record<string, string>) => api.app.inject({ url: '/v1/me', headers });
const meOf = async (key: string, headers = {}) =>
  (await ask(keyed, { authorization: `Bearer wb_${key}`, ...headers })).json();

it('tells the holder of an API key what the key is for, and the name in the history', async () => {
  expect(await meOf('boss', { 'waybill-actor': 'ann' })).toEqual({
    actor: 'boss:ann',
    person: null,
    key: {
      id: keyOf('boss', []).sha256.slice(0, 12),
      name: 'boss',
      expiresAt: null,
      quota: { requestsPerMinute: 600 },
    },
    may: [...PERMISSIONS],
    queues: null,
  });
});

it('names the queues that a key for some may read, whatever else it may for all', async () => {
  const { may, queues } = await meOf('mailer');
  expect({ may, queues }).toEqual({ may: ['metrics', 'read:sms', 'read:mail', 'enqueue'], queues: ['mail', 'sms'] });
});

it('is open to a key that may read nothing', async () => {
  expect(await meOf('worker')).toMatchObject({
    actor: 'worker',
    key: { expiresAt: '2040-01-01T00:00:00Z', quota: null },
    may: ['work'],
    queues: [],
  });
});

it('tells nothing of the key itself, and nothing without one', async () => {
  const { body } = await ask(keyed, { authorization: 'Bearer wb_boss' });
  expect(body).not.toContain('wb_boss');
  expect(body).not.toContain(keyOf('boss', []).sha256);
  expect((await ask(keyed, {})).statusCode).toBe(401);
});

it('says that everybody may do everything where no keys are required', async () => {
  const nobody = { person: null, key: null, may: [...PERMISSIONS], queues: null };
  expect((await ask(open, {})).json()).toEqual({ actor: 'anonymous', ...nobody });
  expect((await ask(open, { 'waybill-actor': 'ann' })).json()).toEqual({ actor: 'ann', ...nobody });
});
