import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SignatureScheme } from '../../domain/trigger/trigger.events.js';
import { MOST_AT_ONCE } from '../../application/kernel/named-secrets.js';

/** A request as it arrived: the body before anybody parsed it. Names of headers are in lower case. */
export interface Arrived {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** What its sender signed: texts of headers that say when and under which id, and the signatures that came with them. */
interface Signed {
  /** The id of the delivery, the same in each repetition; null if the sender names it in the body. */
  readonly id: string | null;
  /** Seconds since 1970; null if the sender signs no time. */
  readonly seconds: number | null;
  /** What comes before the body in the text that is signed. */
  readonly prefix: string;
  readonly signatures: readonly Buffer[];
}

/** Why a delivery is not taken; `id` if it is. */
export type Verdict = { readonly id: string | null } | { readonly fault: string };

/** A repetition of what somebody overheard is refused after this, and clocks may differ by it. Standard Webhooks and Stripe recommend five minutes. */
export const TOLERANCE_SECONDS = 300;

/**
 * Whether one of the keys signed the request, and it is no older, and no newer, than five minutes. It takes the same time whatever the number of keys is, so
 * that nobody learns from it whether a trigger is there.
 */
export function verdictOn(
  { headers, body }: Arrived,
  scheme: SignatureScheme,
  keys: readonly Buffer[],
  nowMs: number,
): Verdict {
  const header: Header = (name, form = ONE_VALUE) => {
    const value = headers[name];
    return typeof value === 'string' && form.test(value) ? value : null;
  };
  const found = SCHEMES[scheme](header);
  const { id, seconds, prefix, signatures } = 'fault' in found ? NOT_SIGNED : found;
  const expected = [...keys, ...DECOYS].slice(0, MOST_AT_ONCE).map((key) => hmac(key, prefix, body));
  const isSigned = expected
    .flatMap((one) => signatures.map((given) => given.length === one.length && timingSafeEqual(given, one)))
    .includes(true);
  if ('fault' in found) return found;
  if (!isSigned) return { fault: 'Expected a signature of the body under a secret of the trigger, but none matches' };
  if (seconds !== null && Math.abs(nowMs / 1_000 - seconds) > TOLERANCE_SECONDS)
    return { fault: `Expected a delivery that was signed within ${TOLERANCE_SECONDS} s of now, but it was not` };
  return { id };
}

/** The bytes that sign; null if the text is no secret of this scheme. Those of Standard Webhooks are in base64; the others sign with the text itself. */
export function keyOf(scheme: SignatureScheme, secret: string): Buffer | null {
  if (scheme !== 'standard') return Buffer.from(secret, 'utf8');
  const text = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : '';
  const bytes = Buffer.from(text, 'base64');
  // Another text would decode to fewer bytes, at worst to none, with which anybody can sign.
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === text ? bytes : null;
}

/** Nobody signs with these, so they match nothing. */
const DECOYS = Array.from({ length: MOST_AT_ONCE }, () => randomBytes(32));

const NOT_SIGNED: Signed = { id: null, seconds: null, prefix: '', signatures: [] };

const hmac = (key: Buffer, prefix: string, body: Buffer): Buffer =>
  createHmac('sha256', key).update(prefix).update(body).digest();

type Header = (name: string, form?: RegExp) => string | null;

/** Node joins a header that is there twice with a comma and a space. */
const ONE_VALUE = /^[\x21-\x7e]{1,1000}$/;
/** Several signatures, with a space between each two. */
const VALUES = /^v\w+,[^\s,]+( v\w+,[^\s,]+)*$/;

const MOST_SIGNATURES = 10;

const SCHEMES: Readonly<Record<SignatureScheme, (header: Header) => Signed | { readonly fault: string }>> = {
  /** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
  standard: (header) => {
    const [id, time, all] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature', VALUES)];
    if (!id || !isSeconds(time) || !all) return lacks('webhook-id, webhook-timestamp and webhook-signature');
    return { id, seconds: Number(time), prefix: `${id}.${time}.`, signatures: signaturesIn(all.split(' '), BASE64) };
  },
  /** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
  github: (header) => {
    const [id, signature] = [header('x-github-delivery'), header('x-hub-signature-256')];
    if (!id || !signature) return lacks('X-GitHub-Delivery and X-Hub-Signature-256');
    return { id, seconds: null, prefix: '', signatures: signaturesIn([signature], GITHUB_HEX) };
  },
  /** https://docs.stripe.com/webhooks#verify-manually */
  stripe: (header) => {
    const parts = (header('stripe-signature') ?? '').split(',');
    const time = parts.find((part) => part.startsWith('t='))?.slice(2) ?? null;
    if (!isSeconds(time)) return lacks('Stripe-Signature');
    return { id: null, seconds: Number(time), prefix: `${time}.`, signatures: signaturesIn(parts, STRIPE_HEX) };
  },
};

const lacks = (names: string) => ({
  fault: `Expected the headers ${names}, each once, but they are missing or have another form`,
});

const isSeconds = (text: string | null): text is string => text !== null && /^\d{1,12}$/.test(text);

/** How a scheme writes the 32 bytes of an HMAC. */
interface Form {
  readonly pattern: RegExp;
  readonly encoding: 'hex' | 'base64';
}

const BASE64: Form = { pattern: /^v1,([A-Za-z0-9+/]{43}=)$/, encoding: 'base64' };
const GITHUB_HEX: Form = { pattern: /^sha256=([0-9a-f]{64})$/, encoding: 'hex' };
const STRIPE_HEX: Form = { pattern: /^v1=([0-9a-f]{64})$/, encoding: 'hex' };

const signaturesIn = (texts: readonly string[], { pattern, encoding }: Form): readonly Buffer[] =>
  texts
    .flatMap((text) => pattern.exec(text)?.[1] ?? [])
    .slice(0, MOST_SIGNATURES)
    .map((text) => Buffer.from(text, encoding));
