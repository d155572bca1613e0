import { expect, it } from '@jest/globals';
import { restOf } from '../src/ui/progress.js';

it.each([
  [0.25, 60_000, 180_000],
  [0.5, 60_000, 60_000],
  [0, 60_000, null],
  [1, 60_000, null],
  [0.5, 0, null],
])('of what is done to %d in %d ms, the rest takes %s ms', (fraction, forMs, rest) => {
  expect(restOf(fraction, forMs)).toBe(rest);
});
