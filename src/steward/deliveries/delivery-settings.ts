/** How deliveries reach the world. */
export interface DeliverySettings {
  /** The server that takes mail, such as `smtp://user:password@host:587`; without it, mail waits. */
  readonly smtpUrl?: string;
  /** The sender of mail. */
  readonly mailFrom?: string;
  /** The secrets that sign webhooks, by name. While a secret is replaced, there are two, and both sign. */
  readonly webhookSecrets: WebhookSecrets;
  /** Whether webhooks may use plain http. */
  readonly webhookHttp: boolean;
  /** Addresses and networks that webhooks may reach although they are not public. */
  readonly webhookNetworks: readonly string[];
}

export type WebhookSecrets = Readonly<Record<string, string | readonly string[]>>;

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const PREFIX = 'whsec_';
const MOST_AT_ONCE = 2;

/** What is wrong with the secrets, without their values; null if nothing is. */
export function faultInSecrets(secrets: unknown): string | null {
  if (typeof secrets !== 'object' || secrets === null || Array.isArray(secrets)) return 'it is no JSON object';
  for (const [name, given] of Object.entries(secrets)) {
    if (!NAME.test(name)) return `a name is no text like ${NAME.source}`;
    const fault = faultIn(given);
    if (fault !== null) return `'${name}' ${fault}`;
  }
  return null;
}

function faultIn(given: unknown): string | null {
  const each: unknown[] = Array.isArray(given) ? given : [given];
  if (each.length === 0 || each.length > MOST_AT_ONCE) return `has ${each.length} secrets instead of one or two`;
  return each.every(isSecret) ? null : `is no text like ${PREFIX}… with 24 to 64 bytes in base64`;
}

function isSecret(text: unknown): boolean {
  if (typeof text !== 'string' || !text.startsWith(PREFIX)) return false;
  const bytes = keyOf(text);
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === text.slice(PREFIX.length);
}

/** The bytes that a secret stands for. */
export const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');
