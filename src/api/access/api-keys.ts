import { createHash } from 'node:crypto';

/** What the holder of a key may ask for: to look, to count, to hand tasks in, to work on them, to steer queues and tasks. */
export const PERMISSIONS = ['read', 'metrics', 'enqueue', 'work', 'operate'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** A key as the service knows it: by its hash only. Several may have one name, while one takes another's place. */
export interface ApiKey {
  /** Who acts, in the history. */
  readonly name: string;
  /** Of the key's text, in hexadecimal. */
  readonly sha256: string;
  readonly may: readonly Permission[];
  /** RFC 3339; absent: it does not expire. */
  readonly expiresAt?: string;
}

/** The keys that the service was given. Their 256 random bits need no slow hash, and looking a hash up tells nobody's time. */
export class ApiKeys {
  private readonly byHash: ReadonlyMap<string, ApiKey>;

  constructor(keys: readonly ApiKey[]) {
    this.byHash = new Map(keys.map((key) => [key.sha256, key]));
  }

  /** Null where nobody has it, or not any more. */
  holderOf(text: string, now: number): ApiKey | null {
    const key = this.byHash.get(hashOf(text));
    if (!key || (key.expiresAt !== undefined && Date.parse(key.expiresAt) <= now)) return null;
    return key;
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

type Check = (value: unknown) => boolean;

const MEMBERS: Readonly<Record<keyof ApiKey, readonly [isRight: Check, what: string]>> = {
  name: [matches(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/), 'a name of letters, digits, dots, dashes and underscores'],
  sha256: [matches(/^[0-9a-f]{64}$/), '64 hexadecimal digits'],
  may: [isPermissions, `a list of ${PERMISSIONS.join(', ')}`],
  expiresAt: [(value) => value === undefined || isTime(value), 'a time such as 2030-01-31T09:00:00Z'],
};

/** What is wrong with a list of keys that somebody wrote; null where nothing is. */
export function faultIn(keys: unknown): string | null {
  if (isEmpty(keys)) return 'it is empty: leave it out where nobody is to be asked for one';
  if (!Array.isArray(keys)) return 'it is no list of keys in JSON';
  const faults = keys.flatMap((key: unknown, index) => {
    const fault = faultInKey(key);
    return fault === null ? [] : [`key ${index + 1} ${fault}`];
  });
  if (faults.length > 0) return faults.join('; ');
  const hashes = new Set((keys as ApiKey[]).map(({ sha256 }) => sha256));
  return hashes.size === keys.length ? null : 'one key stands there twice';
}

const isEmpty = (keys: unknown): boolean =>
  Array.isArray(keys) ? keys.length === 0 : typeof keys === 'string' && keys.trim() === '';

function faultInKey(key: unknown): string | null {
  if (typeof key !== 'object' || key === null) return 'is no object';
  const unknown = Object.keys(key).find((name) => !(name in MEMBERS));
  if (unknown !== undefined) return `has '${unknown}', which is unknown`;
  const wrong = Object.entries(MEMBERS).find(([name, [isRight]]) => !isRight((key as Record<string, unknown>)[name]));
  return wrong ? `should have as '${wrong[0]}' ${wrong[1][1]}` : null;
}

function matches(pattern: RegExp): Check {
  return (value) => typeof value === 'string' && pattern.test(value);
}

function isPermissions(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => PERMISSIONS.includes(one as Permission));
}

function isTime(value: unknown): boolean {
  return (
    matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)(value) &&
    !Number.isNaN(Date.parse(value as string))
  );
}
