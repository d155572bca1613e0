import { describe, expect, it } from '@jest/globals';
import { AllowedTargets } from '../../../src/steward/deliveries/allowed-target.js';
import { RefusedDelivery } from '../../../src/steward/deliveries/refused-delivery.js';

const strict = new AllowedTargets({ webhookHttp: false, webhookNetworks: [] });

const lookedUp = (targets: AllowedTargets, host: string, all: boolean): Promise<unknown> =>
  new Promise((found) =>
    targets.lookupFor(new URL(`https://${host}/`))(host, { all }, (error, addresses) => {
      found(error ?? addresses);
    }),
  );

describe('the target of a webhook', () => {
  it.each([
    'https://example.com/hook',
    'https://93.184.215.14/',
    'https://[2606:2800:21f:cb07::1]:443/x',
    'https://example.com:80/',
  ])('may be %s', (url) => expect(() => strict.check(new URL(url), 'shop')).not.toThrow());

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
    'https://[::127.0.0.1]',
    'https://[::8.8.8.8]',
    'https://[4000::1]',
    'https://[100::1]',
    'https://[64:ff9b:1::7f00:1]',
    'https://[2001::1]',
    'https://[2001:db8::1]',
    'https://[3fff::1]',
    'https://[ff02::1]',
    'https://168.63.129.16/machine',
    'https://192.0.0.192',
    'https://198.18.0.1',
    'https://240.0.0.1',
    'https://example.com:22',
    'https://example.com:8443',
    'https://93.184.215.14:25',
    'https://[2606:2800:21f:cb07::1]:8443',
  ])('may not be %s', (url) => expect(() => strict.check(new URL(url), 'shop')).toThrow(RefusedDelivery));

  it('may be http, and in the listed networks, if the configuration says so', () => {
    const networks = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'];
    const targets = new AllowedTargets({ webhookHttp: true, webhookNetworks: networks });
    for (const url of ['http://127.0.0.1', 'https://10.1.2.3', 'http://[fd00::7]'])
      expect(() => targets.check(new URL(url), 'shop')).not.toThrow();
    for (const url of ['http://127.0.0.2', 'https://192.168.1.1', 'https://[fe80::1]'])
      expect(() => targets.check(new URL(url), 'shop')).toThrow(RefusedDelivery);
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

  it('may have another port if the configuration lists it, or its network', async () => {
    const ports = new AllowedTargets({ webhookHttp: false, webhookNetworks: [], webhookPorts: [8443] });
    expect(ports.faultIn(new URL('https://example.com:8443'), 'shop')).toBeNull();
    expect(ports.faultIn(new URL('https://example.com'), 'shop')).toContain('443 is not there');
    const networks = new AllowedTargets({ webhookHttp: false, webhookNetworks: ['127.0.0.0/8', '::1'] });
    expect(networks.faultIn(new URL('https://127.0.0.1:8443'), 'shop')).toBeNull();
    expect(networks.faultIn(new URL('https://93.184.215.14:8443'), 'shop')).toContain('8443 is not there');
    const found = networks.lookupFor(new URL('https://localhost:8443'));
    expect(await new Promise((done) => found('localhost', { all: true }, (error) => done(error)))).toBeNull();
  });

  it('given a list of hosts, may be one of them only', () => {
    const webhookHosts = ['shop.example.com', '*.example.org'];
    const targets = new AllowedTargets({ webhookHttp: false, webhookNetworks: [], webhookHosts });
    for (const host of [
      'shop.example.com',
      'SHOP.example.com',
      'shop.example.com.',
      'a.example.org',
      'a.b.example.org',
    ])
      expect(targets.faultIn(new URL(`https://${host}/`), 'shop')).toBeNull();
    for (const host of [
      'example.com',
      'evil-shop.example.com',
      'example.org',
      'aexample.org',
      'shop.example.com.evil.com',
    ])
      expect(targets.faultIn(new URL(`https://${host}/`), 'shop')).toContain(`but '${host}' is not there`);
  });

  it('given a secret with hosts, may be one of those only', () => {
    const secret = `whsec_${Buffer.alloc(24).toString('base64')}`;
    const webhookSecrets = { shop: { secret, hosts: ['shop.example.com'] }, any: secret };
    const targets = new AllowedTargets({ webhookHttp: false, webhookNetworks: [], webhookSecrets });
    expect(targets.faultIn(new URL('https://shop.example.com/'), 'shop')).toBeNull();
    expect(targets.faultIn(new URL('https://evil.example.com/'), 'shop')).toContain('is none of them');
    expect(targets.faultIn(new URL('https://evil.example.com/'), 'any')).toBeNull();
    expect(() => targets.check(new URL('https://evil.example.com/'), 'shop')).toThrow(RefusedDelivery);
  });
});

describe('the recipients of mail', () => {
  it.each<[string, readonly string[], boolean]>([
    ['of a listed domain', ['ann@example.com', 'bob@EXAMPLE.com'], true],
    ['of another domain among them', ['ann@example.com', 'eve@evil.com'], false],
    ['of a domain below a listed one', ['ann@mail.example.com'], false],
    ['of a domain below one that is listed so', ['ann@mail.example.org'], true],
    ['with two signs', ['ann@evil.com@example.com'], true],
    ['that end as a listed one', ['ann@notexample.com'], false],
  ])('%s', (_, to, isAllowed) => {
    const mailToDomains = ['example.com', '*.example.org'];
    const targets = new AllowedTargets({
      webhookHttp: false,
      webhookNetworks: [],
      smtpUrl: 'smtp://mx',
      mailToDomains,
    });
    expect(targets.faultInMail(to) === null).toBe(isAllowed);
    if (!isAllowed) expect(() => targets.checkMail(to)).toThrow(RefusedDelivery);
  });
});
