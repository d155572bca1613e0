import type { SignatureScheme } from '../../domain/trigger/trigger.events.js';
import { keyOf } from './inbound-signature.js';
import { faultInEach, faultInNamed } from '../../application/kernel/named-secrets.js';

/** The secrets under which others sign what they deliver, by name. */
export type InboundSecretTexts = Readonly<Record<string, string | readonly string[]>>;

/** Whoever guesses a shorter one by trying signs as the sender. */
const LENGTHS = { min: 16, max: 256 } as const;

const isText = (one: unknown): boolean =>
  typeof one === 'string' && one.length >= LENGTHS.min && one.length <= LENGTHS.max;

/** What is wrong with the secrets, without their values; null if nothing is. */
export const faultInInbound = (secrets: unknown): string | null =>
  faultInNamed(secrets, (given) => faultInEach(given, isText, `text of ${LENGTHS.min} to ${LENGTHS.max} characters`));

/** The secrets of triggers that take deliveries. */
export class InboundSecrets {
  constructor(private readonly texts: InboundSecretTexts) {}

  /** Why nothing that is signed so can be checked under this name; null if it can. */
  faultIn(name: string, scheme: SignatureScheme): string | null {
    const texts = this.textsOf(name);
    if (texts.length === 0) return `Expected WAYBILL_INBOUND_SECRETS to have the secret '${name}', but it has not`;
    if (texts.every((text) => keyOf(scheme, text) !== null)) return null;
    return `Expected WAYBILL_INBOUND_SECRETS to have as '${name}' a secret of Standard Webhooks, like whsec_… with 24 to 64 bytes in base64, but it is another text`;
  }

  /** One or two; none if there is no secret of this name that signs so. */
  keysOf(name: string, scheme: SignatureScheme): readonly Buffer[] {
    return this.textsOf(name).flatMap((text) => keyOf(scheme, text) ?? []);
  }

  private textsOf(name: string): readonly string[] {
    const found = Object.hasOwn(this.texts, name) ? this.texts[name]! : [];
    return typeof found === 'string' ? [found] : found;
  }
}
