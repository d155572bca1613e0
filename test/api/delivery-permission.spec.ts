import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWaybill, type Waybill, type WaybillError } from '@waybill/client';
import { createHash } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import type { ApiKey } from '../../src/api/access/api-keys.js';
import { type RunningService, startService } from '../support/running-service.js';

const keyOf = (name: string, may: ApiKey['may'], quota?: ApiKey['quota']): ApiKey => ({
  name,
  may,
  sha256: createHash('sha256').update(`wb_${name}`).digest('hex'),
  ...(quota && { quota }),
});

let service: RunningService;
beforeAll(async () => {
  service = await startService({
    apiKeys: [
      keyOf('enqueuer', ['read', 'enqueue']),
      keyOf('worker', ['read', 'enqueue', 'work', 'operate:mail']),
      keyOf('sender', ['enqueue', 'deliver']),
      keyOf('operator', ['enqueue', 'operate']),
      keyOf('rationed', ['enqueue', 'deliver'], { recipientsPerMinute: 5 }),
    ],
    mailToDomains: ['example.com'],
    webhookHosts: ['*.example.com'],
    webhookSecrets: {
      shop: { secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}`, hosts: ['shop.example.com'] },
    },
  });
});
afterAll(() => service.stop());

const as = (name: string): Waybill => createWaybill({ url: service.url, apiKey: `wb_${name}` });
const refusalOf = (call: Promise<unknown>): Promise<WaybillError> =>
  call.then(
    (answer) => Promise.reject(new Error(`Expected a refusal, but got ${JSON.stringify(answer)}`)),
    (error: WaybillError) => error,
  );

const MAIL = { to: ['ann@example.com'] };
const WEBHOOK = { url: 'https://shop.example.com/hook', secret: 'shop' };
const addresses = (count: number) => Array.from({ length: count }, (_, at) => `a${at}@example.com`);

type Order = (waybill: Waybill, to: { mail?: typeof MAIL; webhook?: typeof WEBHOOK }) => Promise<unknown>;
const ORDERS: readonly [string, Order][] = [
  [
    'a delivery',
    (waybill, { mail, webhook }) =>
      waybill.deliver(
        (mail
          ? { mail: { ...mail, subject: 's', text: 't' } }
          : { webhook: { ...webhook, type: 'com.example.told', data: 1 } }) as never,
      ),
  ],
  ['the reports of a batch', (waybill, reportTo) => waybill.createBatch({ name: uuidv7(), reportTo })],
  [
    'the reports of a batch with a planner',
    async (waybill, reportTo) => {
      await as('operator').queue('planners').define();
      return waybill.createBatch({ name: uuidv7(), reportTo, plan: { queue: 'planners' } });
    },
  ],
];

describe.each(ORDERS)('%s', (_, order) => {
  it.each(['enqueuer', 'worker'])('is refused to %s, who may not order deliveries', async (name) => {
    for (const to of [{ mail: MAIL }, { webhook: WEBHOOK }]) {
      const refusal = await refusalOf(order(as(name), to));
      expect(refusal).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining("'deliver' or 'operate'") });
    }
  });

  it.each(['sender', 'operator'])('is ordered by %s', async (name) => {
    for (const to of [{ mail: MAIL }, { webhook: WEBHOOK }]) await order(as(name), to);
  });

  it.each([
    ['a recipient of another domain', { mail: { to: ['ann@example.com', 'eve@evil.com'] } }, 'WAYBILL_MAIL_TO_DOMAINS'],
    ['another host', { webhook: { ...WEBHOOK, url: 'https://evil.com/' } }, 'WAYBILL_WEBHOOK_HOSTS'],
    ['a host not of its secret', { webhook: { ...WEBHOOK, url: 'https://b.example.com/' } }, 'sign for its hosts only'],
    ['another port', { webhook: { ...WEBHOOK, url: 'https://shop.example.com:22/' } }, 'WAYBILL_WEBHOOK_PORTS'],
  ])('is refused with %s', async (__, to, words) => {
    const refusal = await refusalOf(order(as('operator'), to));
    expect(refusal).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining(words) });
  });
});

it('a batch that reports to nobody needs only the permission to enqueue', async () => {
  await as('enqueuer').createBatch({ name: uuidv7() });
});

it('who may only deliver defines no trigger', async () => {
  const trigger = as('sender').trigger(`told-${uuidv7()}`);
  const refusal = await refusalOf(trigger.define({ event: { types: ['TaskFailed'] }, mail: MAIL }));
  expect(refusal.code).toBe('FORBIDDEN');
});

it('a quota counts the recipients of all that orders deliveries', async () => {
  const post = async (path: string, body: object) => {
    const headers = { authorization: 'Bearer wb_rationed', 'content-type': 'application/json' };
    const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const told = (await answer.json()) as { readonly detail?: string };
    return { status: answer.status, retry: answer.headers.get('retry-after'), body: told };
  };
  const mail = (count: number) => ({ mail: { to: addresses(count), subject: 's', text: 't' } });
  const reportTo = { mail: { to: addresses(3) }, webhook: WEBHOOK };
  expect(await post('/v1/batches', { name: 'four', reportTo })).toMatchObject({ status: 201 });
  const refused = await post('/v1/deliveries', mail(2));
  expect(refused).toMatchObject({ status: 429, retry: expect.any(String), body: { code: 'QUOTA_EXCEEDED' } });
  expect(refused.body.detail).toContain('but 1 are left and this request needs 2');
  expect(await post('/v1/deliveries', mail(1))).toMatchObject({ status: 201 });
  expect(await post('/v1/batches', { name: 'one more', reportTo: { webhook: WEBHOOK } })).toMatchObject({
    status: 429,
  });
});
