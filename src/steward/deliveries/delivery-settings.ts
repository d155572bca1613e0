import { faultInEach, faultInNamed } from '../../application/kernel/named-secrets.js';

/** How deliveries reach the world. */
export interface DeliverySettings {
  /** The server that takes mail, such as `smtp://user:password@host:587`; without it, mail waits. */
  readonly smtpUrl?: string;
  /** The sender of mail. */
  readonly mailFrom?: string;
  /** The domains that mail may go to, such as `example.com` and `*.example.com`; all if there are none. */
  readonly mailToDomains: readonly string[];
  /** The secrets that sign webhooks, by name. While a secret is replaced, there are two, and both sign. */
  readonly webhookSecrets: WebhookSecrets;
  /** Whether webhooks may use plain http. */
  readonly webhookHttp: boolean;
  /** Addresses and networks that webhooks may reach although they are not public. */
  readonly webhookNetworks: readonly string[];
  /** The hosts that webhooks may reach, such as `example.com` and `*.example.com`; all if there are none. */
  readonly webhookHosts: readonly string[];
  /** The ports that webhooks may reach, besides all of the listed networks. */
  readonly webhookPorts: readonly number[];
}

type Secret = string | readonly string[];
/** A secret that lists hosts signs deliveries to these hosts only. */
export type WebhookSecrets = Readonly<
  Record<string, Secret | { readonly secret: Secret; readonly hosts: readonly string[] }>
>;

/** A secret of a webhook: the texts that sign, and where they may; anywhere if `hosts` is null. */
export function secretNamed(
  secrets: WebhookSecrets,
  name: string,
): { readonly texts: readonly string[]; readonly hosts: readonly string[] | null } | null {
  const found = Object.hasOwn(secrets, name) ? secrets[name]! : null;
  if (found === null) return null;
  const { secret, hosts } =
    typeof found === 'object' && 'hosts' in found ? found : { secret: found as Secret, hosts: null };
  return { texts: typeof secret === 'string' ? [secret] : secret, hosts };
}

export const unknownSecret = (name: string): string =>
  `Expected WAYBILL_WEBHOOK_SECRETS to have the secret '${name}', but it has not`;

/** A name, or all names below one: `example.com`, `*.example.com`. */
export const HOST_PATTERN = /^(\*\.)?[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?$|^\[[0-9A-Fa-f:.]+\]$/;

export function fits(host: string, patterns: readonly string[]): boolean {
  const name = host.toLowerCase();
  return patterns.some((given) => {
    const pattern = given.toLowerCase();
    return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern;
  });
}

const PREFIX = 'whsec_';

/** What is wrong with the secrets, without their values; null if nothing is. */
export const faultInSecrets = (secrets: unknown): string | null => faultInNamed(secrets, faultIn);

function faultIn(given: unknown): string | null {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return faultInBound(given);
  return faultInEach(given, isSecret, `text like ${PREFIX}… with 24 to 64 bytes in base64`);
}

function faultInBound({ secret, hosts, ...more }: { secret?: unknown; hosts?: unknown }): string | null {
  if (Object.keys(more).length > 0) return `has '${Object.keys(more)[0]}', which is unknown`;
  const areHosts = Array.isArray(hosts) && hosts.length > 0 && hosts.every((one) => HOST_PATTERN.test(String(one)));
  if (!areHosts) return 'should have as hosts a list such as ["shop.example.com","*.example.org"]';
  return typeof secret === 'string' || Array.isArray(secret) ? faultIn(secret) : 'has no secret';
}

function isSecret(text: unknown): boolean {
  if (typeof text !== 'string' || !text.startsWith(PREFIX)) return false;
  const bytes = keyOf(text);
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === text.slice(PREFIX.length);
}

/** The bytes that a secret stands for. */
export const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');
