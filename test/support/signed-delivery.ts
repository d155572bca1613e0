import { createHmac } from 'node:crypto';
import type { SignatureScheme } from '../../src/domain/trigger/trigger.events.js';

/** The secrets of `WAYBILL_INBOUND_SECRETS`, by the scheme that they are for; `two` is being replaced. */
export const SECRETS = {
  standard: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  github: "It's a Secret to Everybody",
  stripe: 'whsec_a_secret_of_stripe',
  two: ['the new secret of somebody', 'the old secret of somebody'],
} as const;

export interface Signing {
  readonly scheme: SignatureScheme;
  /** Of the delivery. */
  readonly id: string;
  readonly secret: string;
  readonly body: string;
  readonly seconds: number;
}

interface SignedDelivery {
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** A delivery as a sender of the scheme signs it. */
export function signed({
  scheme = 'standard',
  id = 'msg_1',
  secret = SECRETS[scheme],
  body = JSON.stringify({ id, kind: 'ordered' }),
  seconds = Date.now() / 1_000,
}: Partial<Signing>): SignedDelivery {
  const time = Math.floor(seconds);
  const key = scheme === 'standard' ? Buffer.from(secret.replace('whsec_', ''), 'base64') : secret;
  const hmac = (text: string) => createHmac('sha256', key).update(text).digest();
  switch (scheme) {
    case 'standard': {
      const signature = `v1,${hmac(`${id}.${time}.${body}`).toString('base64')}`;
      return { body, headers: { 'webhook-id': id, 'webhook-timestamp': String(time), 'webhook-signature': signature } };
    }
    case 'github':
      return {
        body,
        headers: { 'x-github-delivery': id, 'x-hub-signature-256': `sha256=${hmac(body).toString('hex')}` },
      };
    case 'stripe':
      return { body, headers: { 'stripe-signature': `t=${time},v1=${hmac(`${time}.${body}`).toString('hex')}` } };
  }
}
