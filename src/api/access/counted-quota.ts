import { LRUCache } from 'lru-cache';
import { atMost } from '../../application/kernel/at-most.js';
import { ApiError } from '../problems/api-error.js';
import type { ApiKey, Quota } from './api-keys.js';

const WINDOW_MS = 60_000;
/** Only names from the configuration get here. */
const NAMES = 10_000;

/** What a quota counts, and how answers call it. */
type Unit = 'recipients' | 'tasks';

/**
 * Counts what holders of API keys order in the bodies of their requests, in windows of a minute that begin with the
 * first. Apart from the other quotas, which are taken before a body is read.
 */
export class CountedQuota {
  private readonly used = new LRUCache<string, number>({ ...atMost(NAMES), ttl: WINDOW_MS, ttlResolution: 0 });

  constructor(private readonly unit: Unit) {}

  /** Throws `QUOTA_EXCEEDED` if the holder may not have so many more. It then uses nothing. */
  take(key: ApiKey | null, more: number): void {
    const most = key?.quota?.[`${this.unit}PerMinute` satisfies keyof Quota];
    if (!key || most === undefined || more === 0) return;
    const before = this.used.get(key.name) ?? 0;
    if (before + more > most) throw this.exceeded(key.name, { most, left: most - before, more });
    this.used.set(key.name, before + more, { noUpdateTTL: true });
  }

  private exceeded(name: string, of: { most: number; left: number; more: number }): ApiError {
    const seconds = Math.max(1, Math.ceil(this.used.getRemainingTTL(name) / 1_000));
    const again = of.more > of.most ? 'order less at once' : `try again in ${seconds} s`;
    const detail = `Expected at most ${of.most} ${this.unit} a minute from the API key '${name}', but ${of.left} are left and this request needs ${of.more}: ${again}`;
    return new ApiError(
      'QUOTA_EXCEEDED',
      detail,
      { 'retry-after': String(seconds) },
      { quota: this.unit, limit: of.most },
    );
  }
}
