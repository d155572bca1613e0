import { expect, it } from '@jest/globals';
import { spread } from '../src/app/spread.js';

it('asks for each thing about as often, but not for all at once', () => {
  const each = Array.from({ length: 20 }, (_, n) => spread(60_000, `["now","course","queue-${n}"]`));
  expect(Math.min(...each)).toBeGreaterThanOrEqual(36_000);
  expect(Math.max(...each)).toBeLessThanOrEqual(84_000);
  expect(new Set(each).size).toBeGreaterThan(10);
  const alike = each.slice(10, 19).sort((one, other) => one - other);
  expect(alike.at(-1)! - alike[0]!).toBeGreaterThan(20_000);
  expect(spread(60_000, 'one')).toBe(spread(60_000, 'one'));
});
