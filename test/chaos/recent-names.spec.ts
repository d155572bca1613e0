import { describe, expect, it } from '@jest/globals';
import { RecentNames } from '../../src/check/recent-names.js';

/** It remembers at least so many. */
const REMEMBERED = 131_072;

const named = (at: number): string => `01900000-0000-7000-9000-${at.toString(16).padStart(12, '0')}`;

const filled = (count: number): { readonly names: RecentNames; readonly repeated: number } => {
  const names = new RecentNames();
  const repeated = Array.from({ length: count }, (_, at) => names.add(named(at))).filter(Boolean).length;
  return { names, repeated };
};

describe('The ids that a check remembers', () => {
  it('takes none of many for another, though they differ in a digit', () => {
    expect(filled(3 * REMEMBERED).repeated).toBe(0);
  });

  it.each([1, 1_000, REMEMBERED])('knows an id again that came %i ids before', (before) => {
    const { names } = filled(2 * REMEMBERED + 10);
    expect(names.add(named(2 * REMEMBERED + 10 - before))).toBe(true);
  });

  it('forgets the oldest, so that its memory does not grow', () => {
    const { names } = filled(3 * REMEMBERED);
    expect(names.add(named(0))).toBe(false);
  });
});
