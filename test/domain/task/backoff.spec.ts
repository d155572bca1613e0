import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backoffMs } from '../../../src/domain/task/failure-policy.js';
import type { BackoffPolicy } from '../../../src/domain/task/failure-policy.js';

const POLICY: fc.Arbitrary<BackoffPolicy> = fc.record({
  kind: fc.constantFrom('exponential', 'fixed'),
  baseMs: fc.integer({ min: 0, max: 600_000 }),
  factor: fc.double({ min: 1, max: 10, noNaN: true }),
  capMs: fc.integer({ min: 0, max: 86_400_000 }),
  jitter: fc.constantFrom('full', 'none'),
});
const FAILURES = fc.integer({ min: 1, max: 100_000 });
const RANDOM = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the backoff', () => {
  const plain: BackoffPolicy = { kind: 'exponential', baseMs: 1_000, factor: 2, capMs: 10_000, jitter: 'none' };

  it('doubles up to its cap', () => {
    expect([1, 2, 3, 4, 5, 5_000].map((failures) => backoffMs(plain, failures, 0.9))).toEqual([
      1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
    ]);
  });

  it('stays the same if it is fixed, up to the cap', () => {
    expect([1, 2, 9].map((failures) => backoffMs({ ...plain, kind: 'fixed' }, failures, 0))).toEqual([
      1_000, 1_000, 1_000,
    ]);
    expect(backoffMs({ ...plain, kind: 'fixed', capMs: 300 }, 1, 0)).toBe(300);
  });

  it('is spread by its jitter between zero and the delay', () => {
    const jittered = { ...plain, jitter: 'full' } as const;
    expect([0, 0.25, 0.5, 0.999].map((random) => backoffMs(jittered, 2, random))).toEqual([0, 500, 1_000, 1_998]);
  });

  it('is zero if the base is zero, after any number of failures', () => {
    expect(backoffMs({ ...plain, baseMs: 0 }, 5_000, 0.5)).toBe(0);
  });

  it('is a whole number of milliseconds between zero and the cap', () => {
    fc.assert(
      fc.property(POLICY, FAILURES, RANDOM, (policy, failures, random) => {
        const ms = backoffMs(policy, failures, random);
        expect(Number.isInteger(ms)).toBe(true);
        expect(ms).toBeGreaterThanOrEqual(0);
        expect(ms).toBeLessThanOrEqual(policy.capMs);
      }),
    );
  });

  it('never decreases with another failure', () => {
    fc.assert(
      fc.property(POLICY, FAILURES, RANDOM, (policy, failures, random) => {
        expect(backoffMs(policy, failures + 1, random)).toBeGreaterThanOrEqual(backoffMs(policy, failures, random));
      }),
    );
  });

  it('uses the whole range of its jitter', () => {
    fc.assert(
      fc.property(POLICY, FAILURES, (policy, failures) => {
        const none = backoffMs({ ...policy, jitter: 'none' }, failures, 0);
        const full = { ...policy, jitter: 'full' } as const;
        expect(backoffMs(full, failures, 0)).toBe(0);
        expect(backoffMs(full, failures, 0.5)).toBe(Math.floor(none / 2));
      }),
    );
  });
});
