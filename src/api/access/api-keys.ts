import { createHash } from 'node:crypto';
import { type Grant, isGrant, PERMISSIONS } from './grants.js';
import { NAME } from '../../domain/kernel/patterns.js';

export { PERMISSIONS, type Permission } from './grants.js';

/** What the holder of a key may use. Absent: as much as it wants. Keys of the same name share it. */
export interface Quota {
  /** How many requests a minute each process of the service accepts. */
  readonly requestsPerMinute?: number;
  /** How many bytes of request bodies a minute each process accepts. */
  readonly bytesPerMinute?: number;
  /** How many tasks it may submit a minute, in each process. */
  readonly tasksPerMinute?: number;
  /** How many recipients of mail and webhooks it may order a minute, in each process. */
  readonly recipientsPerMinute?: number;
  /** How many tasks may run at once, in all processes. */
  readonly runningTasks?: number;
}

/**
 * An API key as the service knows it: by its hash only. Two keys may have the same name while one replaces the other.
 */
export interface ApiKey {
  /** The actor in the history. */
  readonly name: string;
  /** The SHA-256 of the key's text, in hexadecimal. */
  readonly sha256: string;
  readonly may: readonly Grant[];
  /** In RFC 3339. If absent, the key does not expire. */
  readonly expiresAt?: string;
  readonly quota?: Quota;
}

/** How often to look for watched keys that have expired. */
const LOOK_MS = 1_000;

/**
 * The valid keys, which may change. A key has 256 random bits, so it needs no slow hash, and the time of the lookup
 * reveals nothing about it.
 */
export class ApiKeys {
  /** What is wrong with the keys that should replace these; null if nothing is. */
  fault: string | null = null;
  private byHash: ReadonlyMap<string, ApiKey> = new Map();
  private readonly watched = new Map<() => void, ApiKey>();
  private timer: NodeJS.Timeout | null = null;

  constructor(keys: readonly ApiKey[]) {
    this.replace(keys);
  }

  get all(): readonly ApiKey[] {
    return [...this.byHash.values()];
  }

  /** From now on, only these keys are valid. */
  replace(keys: readonly ApiKey[]): void {
    this.byHash = new Map(keys.map((key) => [key.sha256, key]));
    this.endInvalid();
  }

  /**
   * Calls `end` once, when the key is no longer valid, allows something else than now, or has another name. Returns a function that stops
   * watching.
   */
  watch(key: ApiKey, end: () => void): () => void {
    this.watched.set(end, key);
    this.timer ??= setInterval(() => this.endInvalid(), LOOK_MS).unref();
    return () => this.unwatch(end);
  }

  private endInvalid(): void {
    for (const [end, key] of this.watched) {
      if (this.isUnchanged(key)) continue;
      this.unwatch(end);
      end();
    }
  }

  private isUnchanged(key: ApiKey): boolean {
    const now = this.byHash.get(key.sha256);
    return now !== undefined && !isOver(now, Date.now()) && whatHolds(now) === whatHolds(key);
  }

  private unwatch(end: () => void): void {
    this.watched.delete(end);
    if (this.watched.size > 0 || !this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  /** The key with this text; null if it is unknown or has expired. */
  keyOf(text: string, now: number): ApiKey | null {
    const key = this.byHash.get(hashOf(text));
    return key && !isOver(key, now) ? key : null;
  }
}

const isOver = ({ expiresAt }: ApiKey, now: number): boolean => expiresAt !== undefined && Date.parse(expiresAt) <= now;

/** The name is the actor, and the holder of quotas. */
const whatHolds = ({ name, may, quota }: ApiKey): string => JSON.stringify([name, may, quota]);

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

type Check = (value: unknown) => boolean;

const MEMBERS: Readonly<Record<keyof ApiKey, readonly [isRight: Check, what: string]>> = {
  name: [matches(NAME), "a name of up to 100 letters, digits, '.', '-' and '_' that begins with a letter or a digit"],
  sha256: [matches(/^[0-9a-f]{64}$/), '64 hexadecimal digits'],
  may: [isGrants, `a list of ${PERMISSIONS.join(', ')}, or of permissions for one queue such as enqueue:mail`],
  expiresAt: [(value) => value === undefined || isTime(value), 'a time such as 2030-01-31T09:00:00Z'],
  quota: [
    isQuota,
    'requestsPerMinute, bytesPerMinute, tasksPerMinute, recipientsPerMinute or runningTasks, each a whole number from 1 on',
  ],
};

/** What is wrong with a configured list of keys; null if nothing is. */
export function faultIn(keys: unknown): string | null {
  if (isEmpty(keys)) return 'it is empty: leave it out to accept requests without a key';
  if (!Array.isArray(keys)) return 'it is not a JSON list of keys';
  const faults = keys.flatMap((key: unknown, index) => {
    const fault = faultInKey(key);
    return fault === null ? [] : [`key ${index + 1} ${fault}`];
  });
  if (faults.length > 0) return faults.join('; ');
  const hashes = new Set((keys as ApiKey[]).map(({ sha256 }) => sha256));
  return hashes.size === keys.length ? null : 'it lists one key twice';
}

const isEmpty = (keys: unknown): boolean =>
  Array.isArray(keys) ? keys.length === 0 : typeof keys === 'string' && keys.trim() === '';

function faultInKey(key: unknown): string | null {
  if (typeof key !== 'object' || key === null) return 'is not an object';
  const unknown = Object.keys(key).find((name) => !(name in MEMBERS));
  if (unknown !== undefined) return `has '${unknown}', which is unknown`;
  const wrong = Object.entries(MEMBERS).find(([name, [isRight]]) => !isRight((key as Record<string, unknown>)[name]));
  return wrong ? `should have as '${wrong[0]}' ${wrong[1][1]}` : null;
}

function matches(pattern: RegExp): Check {
  return (value) => typeof value === 'string' && pattern.test(value);
}

function isGrants(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isGrant);
}

const LIMITS: readonly string[] = [
  'requestsPerMinute',
  'bytesPerMinute',
  'tasksPerMinute',
  'recipientsPerMinute',
  'runningTasks',
] satisfies (keyof Quota)[];

function isQuota(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  const limits = Object.entries(value);
  return limits.length > 0 && limits.every(([name, limit]) => LIMITS.includes(name) && isWhole(limit));
}

const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 1;

function isTime(value: unknown): boolean {
  return (
    matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)(value) &&
    !Number.isNaN(Date.parse(value as string))
  );
}
