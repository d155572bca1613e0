import { describe, expect, it } from '@jest/globals';
import { benchOnDisk } from './bench.js';

/** The longest that writing 10,000,000 events and looking back has taken is a quarter of it. */
const PATIENCE_MS = 1_800_000;

describe('a log of 10,000,000 events with 100,000 open tasks', () => {
  it(
    'H-06 answers counts and first pages at 100 random moments within 2 s each, and half of them within 0.7 s',
    async () => {
      const { result, events, open, moments } = await benchOnDisk('history');
      expect({ events, open, moments }).toEqual({ events: 10_000_000, open: 100_000, moments: 100 });
      for (const { longest, median } of [result.counts, result.pages])
        expect([longest < 2_000, median < 700, longest, median]).toEqual([true, true, longest, median]);
      expect(result.snapshots.bytesPerEvent).toBeLessThan(16);
    },
    PATIENCE_MS,
  );
});
