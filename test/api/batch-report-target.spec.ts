import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService({
    mailToDomains: ['example.com'],
    webhookHosts: ['*.example.com'],
    webhookSecrets: {
      shop: { secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}`, hosts: ['shop.example.com'] },
    },
  });
});
afterAll(() => service.stop());

const MAIL = { to: ['ann@example.com', 'bob@example.com'] };
const WEBHOOK = { url: 'https://shop.example.com/hook', secret: 'shop' };

it.each([
  ['mail', { mail: MAIL }],
  ['a webhook', { webhook: WEBHOOK }],
  ['both', { mail: MAIL, webhook: WEBHOOK }],
])('shows to whom a batch reports as its creator said it: %s', async (name, reportTo) => {
  const { id } = await service.waybill.createBatch({ name, reportTo });
  expect((await service.waybill.batch(id).get()).reportTo).toEqual(reportTo);
  for await (const listed of service.waybill.batches()) if (listed.id === id) expect(listed.reportTo).toEqual(reportTo);
});

it('shows no target of a batch that reports to nobody', async () => {
  const { id } = await service.waybill.createBatch({ name: 'silent' });
  expect((await service.waybill.batch(id).get()).reportTo).toBeNull();
});
