import { Logger } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { MOST_REFUSED } from '../../src/api/access/refused-keys.js';
import { fakeApplication, type FakeApplication } from './fake-application.js';

const sha256 = createHash('sha256').update('wb_good').digest('hex');
const apiKeys = [{ name: 'ann', sha256, may: ['read'] }] as const;

let api: FakeApplication;
let told: string[];
beforeEach(async () => {
  api = await fakeApplication({ apiKeys, trustedProxies: ['10.0.0.1'] });
  told = [];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((line: unknown) => void told.push(String(line)));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await api.app.close();
});

interface From {
  readonly address?: string;
  readonly forwardedFor?: string;
}

async function ask(authorization: string | null, { address = '192.0.2.7', forwardedFor }: From = {}) {
  const { statusCode, headers, body } = await api.app.inject({
    url: '/v1/queues/mail',
    remoteAddress: address,
    headers: {
      ...(authorization !== null && { authorization }),
      ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }),
    },
  });
  return { status: statusCode, retryAfter: headers['retry-after'], body };
}

async function askOften(times: number, from?: From): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) statuses.push((await ask(`Bearer wb_wrong_${i}`, from)).status);
  return statuses;
}

it('is logged with its address, and never with its text', async () => {
  await ask('Bearer wb_stolen');
  expect(told).toEqual(['Refused an API key from 192.0.2.7 for GET /v1/queues/:queue']);
  expect(JSON.stringify(told)).not.toContain('stolen');
});

it('is answered with 429 after many from one address, which are not logged any more', async () => {
  expect(new Set(await askOften(MOST_REFUSED))).toEqual(new Set([401]));
  const { status, retryAfter, body } = await ask('Bearer wb_wrong');
  expect([status, JSON.parse(body).code]).toEqual([429, 'TOO_MANY_REFUSED_KEYS']);
  expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
  expect(Number(retryAfter)).toBeLessThanOrEqual(60);
  await askOften(MOST_REFUSED);
  expect(told).toHaveLength(MOST_REFUSED + 1);
  expect(told.at(-1)).toMatch(/^Refused too many API keys from 192\.0\.2\.7: more of them are not logged for \d+ s$/);
});

it('does not affect others: a valid key from the same address, another address, or a request without a key', async () => {
  await askOften(MOST_REFUSED + 1);
  expect((await ask('Bearer wb_good')).status).not.toBe(429);
  expect((await ask('Bearer wb_good')).status).not.toBe(401);
  expect((await ask('Bearer wb_wrong', { address: '192.0.2.8' })).status).toBe(401);
  expect((await ask(null)).status).toBe(401);
});

it('counts for the address that a trusted proxy reports, and not for one that anybody else reports', async () => {
  await ask('Bearer wb_wrong', { address: '10.0.0.1', forwardedFor: '198.51.100.3' });
  await ask('Bearer wb_wrong', { address: '10.0.0.2', forwardedFor: '198.51.100.3' });
  expect(told.map((line) => /from (\S+)/.exec(line)![1])).toEqual(['198.51.100.3', '10.0.0.2']);
});
