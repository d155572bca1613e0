import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../application/kernel/at-most.js';
import { ApiError } from '../problems/api-error.js';
import type { ApiKey, Quota } from './api-keys.js';

const WINDOW_MS = 60_000;
/** Only names from the configuration get here. */
const NAMES = 10_000;

/** What `RateLimit` calls each limit, and what a request uses of it. */
const POLICIES = {
  requestsPerMinute: { name: 'requests', unit: 'requests' },
  bytesPerMinute: { name: 'bytes', unit: 'bytes of request bodies' },
} as const;

/** The claims and starts count `runningTasks`; answers only name that limit. */
type Counted = keyof typeof POLICIES;

interface Limit {
  readonly policy: (typeof POLICIES)[Counted];
  readonly most: number;
  readonly used: number;
  readonly wants: number;
}

type Used = Partial<Record<Counted, number>>;

/**
 * Counts what the holders of API keys use, in windows of a minute that begin with the first request. Answers have the
 * headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10).
 */
export class Quotas {
  private readonly byName = new LRUCache<string, Used>({ ...atMost(NAMES), ttl: WINDOW_MS, ttlResolution: 0 });

  /**
   * Throws `QUOTA_EXCEEDED` if the request is over a limit; it then uses nothing. Throws `LENGTH_REQUIRED` if its bytes
   * cannot be counted before they arrive.
   */
  take({ name, quota }: ApiKey, { headers }: FastifyRequest, reply: FastifyReply): void {
    if (!quota) return;
    const used = this.byName.get(name) ?? {};
    if (quota.bytesPerMinute !== undefined && headers['transfer-encoding'] !== undefined) throw lengthRequired(name);
    const wants = { requestsPerMinute: 1, bytesPerMinute: Number(headers['content-length'] ?? 0) };
    const limits = limitsOf(quota, used, wants);
    const over = limits.find(({ most, used: before, wants: more }) => before + more > most);
    if (!over) this.add(name, used, wants);
    const seconds = this.secondsLeft(name);
    const left = over ? limits : limits.map((limit) => ({ ...limit, used: limit.used + limit.wants }));
    reply.headers({ ...policyOf(limits, quota), ...(left.length > 0 && { ratelimit: remaining(left, seconds) }) });
    if (over) throw exceeded(name, over, seconds);
  }

  private add(name: string, { requestsPerMinute = 0, bytesPerMinute = 0 }: Used, more: Required<Used>): void {
    const sum = {
      requestsPerMinute: requestsPerMinute + more.requestsPerMinute,
      bytesPerMinute: bytesPerMinute + more.bytesPerMinute,
    };
    this.byName.set(name, sum, { noUpdateTTL: true });
  }

  private secondsLeft(name: string): number {
    return Math.max(1, Math.ceil(this.byName.getRemainingTTL(name) / 1_000));
  }
}

const limitsOf = (quota: Quota, used: Used, wants: Required<Used>): Limit[] =>
  (Object.keys(POLICIES) as Counted[]).flatMap((limit) => {
    const most = quota[limit];
    return most === undefined ? [] : { policy: POLICIES[limit], most, used: used[limit] ?? 0, wants: wants[limit] };
  });

function policyOf(limits: readonly Limit[], { runningTasks }: Quota): Record<string, string> {
  const policies = limits.map(({ policy, most }) => `"${policy.name}";q=${most};w=${WINDOW_MS / 1_000}`);
  if (runningTasks !== undefined) policies.push(`"running";q=${runningTasks}`);
  return { 'ratelimit-policy': policies.join(', ') };
}

const remaining = (limits: readonly Limit[], seconds: number): string =>
  limits.map(({ policy, most, used }) => `"${policy.name}";r=${Math.max(0, most - used)};t=${seconds}`).join(', ');

function exceeded(name: string, { policy, most, used, wants }: Limit, seconds: number): ApiError {
  const left = Math.max(0, most - used);
  const again = wants > most ? 'send less at once' : `try again in ${seconds} s`;
  const detail = `Expected at most ${most} ${policy.unit} a minute from the API key '${name}', but ${left} are left and this request needs ${wants}: ${again}`;
  return new ApiError(
    'QUOTA_EXCEEDED',
    detail,
    { 'retry-after': String(seconds) },
    { quota: policy.name, limit: most },
  );
}

const lengthRequired = (name: string): ApiError =>
  new ApiError(
    'LENGTH_REQUIRED',
    `Expected Content-Length, because the bytes of the API key '${name}' are limited, but the request has a body of unknown length`,
  );
