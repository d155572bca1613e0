import { expect, it } from '@jest/globals';
import { aheadOf } from '../src/app/clock.js';
import { canBeSent } from '../src/app/identity.js';

it.each(['ann', 'José', 'ann (night shift)', ''])('accepts %j as an actor', (name) =>
  expect(canBeSent(name)).toBe(true),
);

it.each(['Žofie', '日本', 'a\u202eb', 'a\u00adb', 'a\u0085b', 'a\nb', 'x'.repeat(101)])(
  'rejects %j as an actor',
  (name) => expect(canBeSent(name)).toBe(false),
);

it.each([
  ['the same', '2026-11-22T10:00:00.900Z', 0],
  ['an hour behind', '2026-11-22T09:00:00.500Z', 3_600_000],
  ['an hour ahead', '2026-11-22T11:00:00.500Z', -3_600_000],
])('recognises a clock that is %s', (_, here, ahead) => {
  expect(aheadOf('Sun, 22 Nov 2026 10:00:00 GMT', Date.parse(here))).toBe(ahead);
});

it('uses its own clock if an answer has no time', () => expect(aheadOf(null, 0)).toBe(0));
