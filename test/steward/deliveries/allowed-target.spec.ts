import { describe, expect, it } from '@jest/globals';
import { AllowedTargets } from '../../../src/steward/deliveries/allowed-target.js';
import { RefusedDelivery } from '../../../src/steward/deliveries/refused-delivery.js';

const strict = new AllowedTargets({ webhookHttp: false, webhookNetworks: [] });

const lookedUp = (targets: AllowedTargets, host: string, all: boolean): Promise<unknown> =>
  new Promise((found) =>
    targets.lookup(host, { all }, (error, addresses) => {
      found(error ?? addresses);
    }),
  );

describe('the target of a webhook', () => {
  it.each(['https://example.com/hook', 'https://93.184.215.14/', 'https://[2606:2800:21f:cb07::1]:8443/x'])(
    'may be %s',
    (url) => expect(() => strict.check(new URL(url))).not.toThrow(),
  );

  it.each([
    'http://example.com',
    'https://ann:secret@example.com',
    'https://127.0.0.1',
    'https://127.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://0.0.0.0',
    'https://10.1.2.3',
    'https://172.16.0.1',
    'https://192.168.1.1',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1',
    'https://224.0.0.1',
    'https://255.255.255.255',
    'https://[::1]',
    'https://[::]',
    'https://[::ffff:127.0.0.1]',
    'https://[::ffff:a9fe:a9fe]',
    'https://[64:ff9b::7f00:1]',
    'https://[2002:7f00:1::]',
    'https://[fe80::1]',
    'https://[fd00::7]',
  ])('may not be %s', (url) => expect(() => strict.check(new URL(url))).toThrow(RefusedDelivery));

  it('may be http, and in the listed networks, if the configuration says so', () => {
    const networks = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'];
    const targets = new AllowedTargets({ webhookHttp: true, webhookNetworks: networks });
    for (const url of ['http://127.0.0.1', 'https://10.1.2.3', 'http://[fd00::7]'])
      expect(() => targets.check(new URL(url))).not.toThrow();
    for (const url of ['http://127.0.0.2', 'https://192.168.1.1', 'https://[fe80::1]'])
      expect(() => targets.check(new URL(url))).toThrow(RefusedDelivery);
  });

  it.each([true, false])('may not be a name of such an address (all: %s)', async (all) => {
    expect(await lookedUp(strict, 'localhost', all)).toBeInstanceOf(RefusedDelivery);
  });

  it('may be a name of an address in the listed networks', async () => {
    const targets = new AllowedTargets({ webhookHttp: false, webhookNetworks: ['127.0.0.0/8', '::1'] });
    expect(await lookedUp(targets, 'localhost', false)).toMatch(/^(127\.0\.0\.1|::1)$/);
    expect(await lookedUp(targets, 'localhost', true)).toContainEqual({ address: '127.0.0.1', family: 4 });
  });

  it('must have a name that resolves', async () => {
    expect(await lookedUp(strict, 'no-such-name.invalid', true)).toMatchObject({ syscall: 'getaddrinfo' });
  });
});
