import { Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../application/kernel/at-most.js';
import { ApiError } from '../problems/api-error.js';
import { networkOf } from './networks.js';

/** What is refused: one of them, and several, in words. */
type Refusable = readonly [one: string, many: string];

/** The number of refused keys per address that are logged and answered with 401. */
export const MOST_REFUSED = 20;
export const WITHIN_MS = 60_000;
/** Beyond this, the oldest address is forgotten, so that memory stays bounded. */
const ADDRESSES = 10_000;

/**
 * Counts the refused API keys, or signatures, of each address. The log shows people who is kept out, and an address with a wrong key
 * cannot fill it. A valid key is accepted before this check, so others behind the same address are not affected.
 */
export class RefusedKeys {
  private readonly logger = new Logger('Access');
  private readonly byAddress = new LRUCache<string, number>({ ...atMost(ADDRESSES), ttl: WITHIN_MS, ttlResolution: 0 });

  constructor(private readonly what: Refusable = ['an API key', 'API keys']) {}

  /** Throws `TOO_MANY_REFUSED_KEYS` if the address should wait. `why`: for the log. */
  add({ ip: address, method, routeOptions }: FastifyRequest, why = ''): void {
    const [ip, [one, many]] = [networkOf(address), this.what];
    const before = this.byAddress.get(ip) ?? 0;
    this.byAddress.set(ip, Math.min(before + 1, MOST_REFUSED + 1), { noUpdateTTL: true });
    if (before < MOST_REFUSED)
      this.logger.warn(`Refused ${one} from ${ip} for ${method} ${routeOptions.url ?? 'nowhere'}${why}`);
    if (before < MOST_REFUSED) return;
    const seconds = Math.max(1, Math.ceil(this.byAddress.getRemainingTTL(ip) / 1_000));
    if (before === MOST_REFUSED)
      this.logger.warn(`Refused too many ${many} from ${ip}: more of them are not logged for ${seconds} s`);
    throw new ApiError(
      'TOO_MANY_REFUSED_KEYS',
      `Expected ${one} that is valid, but got ${MOST_REFUSED} invalid ${many} from ${ip} within a minute: use a valid one, or try again in ${seconds} s`,
      { 'retry-after': String(seconds) },
    );
  }
}
