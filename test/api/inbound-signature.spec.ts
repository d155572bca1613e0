import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { InboundSecrets } from '../../src/api/access/inbound-secrets.js';
import { keyOf, TOLERANCE_SECONDS, verdictOn } from '../../src/api/access/inbound-signature.js';
import type { SignatureScheme } from '../../src/domain/trigger/trigger.events.js';

const SIGNED_AT = 1_614_265_330;
/** The example of the test suite of Standard Webhooks. */
const STANDARD = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  body: '{"test": 2432232314}',
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': String(SIGNED_AT),
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
} as const;
/** The example of GitHub's documentation. */
const GITHUB = {
  secret: "It's a Secret to Everybody",
  body: 'Hello, World!',
  headers: {
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  },
} as const;
const STRIPE = {
  secret: 'whsec_test_secret',
  body: '{"id": "evt_1"}',
  headers: {
    'stripe-signature': `t=${SIGNED_AT},v0=00,v1=${createHmac('sha256', 'whsec_test_secret').update(`${SIGNED_AT}.{"id": "evt_1"}`).digest('hex')}`,
  },
} as const;

const CASES: Readonly<
  Record<SignatureScheme, { readonly secret: string; readonly body: string; readonly headers: Record<string, string> }>
> = { standard: STANDARD, github: GITHUB, stripe: STRIPE };
const ids = { standard: 'msg_p5jXN8AQM9LWM0D4loKWxJek', github: '72d3162e-cc78-11e3-81ab-4c9367dc0958', stripe: null };

const check = (
  scheme: SignatureScheme,
  {
    secrets,
    body,
    headers = CASES[scheme].headers,
    seconds = SIGNED_AT,
  }: {
    readonly secrets?: readonly string[];
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string | readonly string[]>>;
    readonly seconds?: number;
  } = {},
) =>
  verdictOn(
    { headers, body: Buffer.from(body ?? CASES[scheme].body) },
    scheme,
    (secrets ?? [CASES[scheme].secret]).map((secret) => keyOf(scheme, secret)!),
    seconds * 1_000,
  );

const NO_MATCH = { fault: expect.stringContaining('none matches') };
const OTHER = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

describe.each(Object.keys(CASES) as SignatureScheme[])('a delivery that is signed as %s', (scheme) => {
  it('is taken under either of two secrets', () => {
    for (const secrets of [[CASES[scheme].secret], [OTHER, CASES[scheme].secret]])
      expect(check(scheme, { secrets })).toEqual({ id: ids[scheme] });
  });

  it('is refused under another secret, without one, and with another body', () => {
    expect(check(scheme, { secrets: [OTHER] })).toEqual(NO_MATCH);
    expect(check(scheme, { secrets: [] })).toEqual(NO_MATCH);
    expect(check(scheme, { body: `${CASES[scheme].body} ` })).toEqual(NO_MATCH);
  });

  it('is refused if a header lacks, is there twice, or has another form', () => {
    for (const name of Object.keys(CASES[scheme].headers)) {
      const { [name]: value, ...others } = CASES[scheme].headers;
      const twice = { ...others, [name]: `${value!}, ${value!}` };
      for (const headers of [others, { ...others, [name]: '' }, { ...others, [name]: [value!, value!] }, twice])
        expect(check(scheme, { headers })).toHaveProperty('fault');
    }
  });
});

it.each(['standard', 'stripe'] as const)(
  'a delivery of %s is refused when it is too old, or from the future',
  (scheme) => {
    for (const seconds of [SIGNED_AT - TOLERANCE_SECONDS, SIGNED_AT + TOLERANCE_SECONDS])
      expect(check(scheme, { seconds })).toEqual({ id: ids[scheme] });
    for (const seconds of [SIGNED_AT - TOLERANCE_SECONDS - 1, SIGNED_AT + TOLERANCE_SECONDS + 1])
      expect(check(scheme, { seconds })).toEqual({ fault: expect.stringContaining('within 300 s') });
  },
);

it('a time that was changed is not the one that was signed', () => {
  const later = String(SIGNED_AT + 1);
  expect(check('standard', { headers: { ...STANDARD.headers, 'webhook-timestamp': later } })).toEqual(NO_MATCH);
  const stripe = STRIPE.headers['stripe-signature'].replace(String(SIGNED_AT), later);
  expect(check('stripe', { headers: { 'stripe-signature': stripe } })).toEqual(NO_MATCH);
});

it.each<[SignatureScheme, string, string]>([
  ['github', 'x-hub-signature-256', `${GITHUB.headers['x-hub-signature-256']}00`],
  ['github', 'x-hub-signature-256', GITHUB.headers['x-hub-signature-256'].slice(0, -2)],
  ['standard', 'webhook-signature', `${STANDARD.headers['webhook-signature']}=`],
  ['stripe', 'stripe-signature', `${STRIPE.headers['stripe-signature']}zz`],
])('a signature of %s with more or less than its bytes is none', (scheme, name, value) => {
  expect(check(scheme, { headers: { ...CASES[scheme].headers, [name]: value } })).toEqual(NO_MATCH);
});

it('takes any of several signatures of one delivery, as senders send while they replace their secret', () => {
  const both = `v1,${'A'.repeat(43)}= ${STANDARD.headers['webhook-signature']}`;
  expect(check('standard', { headers: { ...STANDARD.headers, 'webhook-signature': both } })).toEqual({
    id: ids.standard,
  });
});

it('no text but a whole secret of Standard Webhooks signs as one, or anybody could sign with none', () => {
  for (const secret of [
    'whsec_',
    'It is a secret to everybody',
    `whsec_${Buffer.alloc(23).toString('base64')}`,
    'whsec_!!!!',
  ])
    expect(keyOf('standard', secret)).toBeNull();
  const secrets = new InboundSecrets({ shop: 'It is a secret to everybody' });
  expect(secrets.faultIn('shop', 'standard')).toContain("have as 'shop' a secret of Standard Webhooks");
  expect(secrets.keysOf('shop', 'standard')).toEqual([]);
  expect(secrets.faultIn('shop', 'github')).toBeNull();
  expect(secrets.faultIn('constructor', 'github')).toContain("have the secret 'constructor', but it has not");
});
