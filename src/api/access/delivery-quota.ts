import { LRUCache } from 'lru-cache';
import { ApiError } from '../problems/api-error.js';
import type { ApiKey } from './api-keys.js';

const WINDOW_MS = 60_000;
/** Only names from the configuration get here. */
const NAMES = 10_000;

/**
 * Counts the recipients of the mail and webhooks that holders of API keys order, in windows of a minute that begin with the first.
 * Apart from the other quotas, because only the body of a request tells.
 */
export class DeliveryQuota {
  private readonly used = new LRUCache<string, number>({ max: NAMES, ttl: WINDOW_MS, ttlResolution: 0 });

  /** Throws `QUOTA_EXCEEDED` if the holder may not have so many more. It then uses nothing. */
  take(key: ApiKey | null, recipients: number): void {
    const most = key?.quota?.recipientsPerMinute;
    if (!key || most === undefined) return;
    const before = this.used.get(key.name) ?? 0;
    if (before + recipients > most) throw this.exceeded(key.name, { most, left: most - before, recipients });
    this.used.set(key.name, before + recipients, { noUpdateTTL: true });
  }

  private exceeded(name: string, of: { most: number; left: number; recipients: number }): ApiError {
    const seconds = Math.max(1, Math.ceil(this.used.getRemainingTTL(name) / 1_000));
    const again = of.recipients > of.most ? 'order less at once' : `try again in ${seconds} s`;
    const detail = `Expected at most ${of.most} recipients a minute from the API key '${name}', but ${of.left} are left and this request needs ${of.recipients}: ${again}`;
    return new ApiError(
      'QUOTA_EXCEEDED',
      detail,
      { 'retry-after': String(seconds) },
      { quota: 'recipients', limit: of.most },
    );
  }
}
