import { describe, expect, it } from '@jest/globals';
import { InboundSecrets } from '../../../src/api/access/inbound-secrets.js';
import { batchOrderOf } from '../../../src/api/operations/batch-order.js';
import { deliveryOf } from '../../../src/api/operations/delivery.js';
import { definitionOf } from '../../../src/api/operations/trigger.js';
import { AllowedTargets } from '../../../src/steward/deliveries/allowed-target.js';

const NO_SECRETS = new InboundSecrets({});
const RULES = { webhookHttp: false, webhookNetworks: [] };
const WITHOUT = new AllowedTargets(RULES);
const WITH = new AllowedTargets({ ...RULES, smtpUrl: 'smtp://mail.example.com' });

const MAIL = { to: ['ann@example.com'] };
const TRIGGER = { event: { types: ['TaskFailed'] } };

describe('mail without a server of the configuration', () => {
  it.each<[string, string, (targets: AllowedTargets) => unknown]>([
    ['an order of mail', '/mail', (targets) => deliveryOf({ mail: { ...MAIL, subject: 's', text: 't' } }, targets)],
    [
      'a trigger that mails',
      '/mail',
      (targets) => definitionOf({ ...TRIGGER, mail: MAIL } as never, targets, NO_SECRETS),
    ],
    [
      'a trigger that tells by mail what it gave up',
      '/notify/mail',
      (targets) => definitionOf({ ...TRIGGER, mail: MAIL, notify: { mail: MAIL } } as never, targets, NO_SECRETS),
    ],
    [
      'a batch that reports by mail',
      '/reportTo/mail',
      (targets) => batchOrderOf({ name: 'maps', reportTo: { mail: MAIL } } as never, targets),
    ],
  ])('is refused in %s, and the refusal names the setting', (_, pointer, order) => {
    let refusal: unknown = null;
    try {
      order(WITHOUT);
    } catch (error) {
      refusal = error;
    }
    const detail = 'Expected WAYBILL_SMTP_URL to name a server for mail, but it is not set';
    expect(refusal).toMatchObject({ faults: [{ pointer, detail }] });
    expect(() => order(WITH)).not.toThrow();
  });
});
