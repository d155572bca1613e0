import { describe, expect, it } from '@jest/globals';
import type { QueueStats } from '@waybill/client';
import { Rates } from '../src/rates.js';

const stats = (queue: string, succeeded: number) => ({ queue, counts: { succeeded } }) as unknown as QueueStats;

describe('rates', () => {
  it('are the successes between two loads, per second', () => {
    const rates = new Rates();
    rates.look([stats('mail', 100)], 1_000);
    expect(rates.course('mail')).toEqual([]);
    rates.look([stats('mail', 150), stats('new', 7)], 3_000);
    rates.look([stats('mail', 150), stats('new', 8)], 4_000);
    expect([rates.course('mail'), rates.course('new')]).toEqual([
      [25, 0],
      [0, 1],
    ]);
  });

  it('are never negative, and kept for a while only', () => {
    const rates = new Rates();
    for (let look = 0; look < 100; look++) rates.look([stats('mail', 1_000 - look)], look * 1_000);
    expect(rates.course('mail')).toEqual(Array.from({ length: 60 }, () => 0));
    rates.look([stats('mail', 5_000)], 99_000);
    expect(rates.course('mail')).toHaveLength(60);
    expect(rates.course('mail').at(-1)).toBe(0);
  });
});
