import { describe, expect, it } from '@jest/globals';
import { firstLook, lookAfter } from '../../../src/domain/trigger/looks.js';

const at = (second: string) => `2026-03-01T02:00:${second}Z`;

describe('the looks of a trigger into its queue', () => {
  it('begin at once, at a whole second, so that many triggers look together', () => {
    expect(firstLook(at('07.612'))).toBe(at('07.000'));
  });

  it.each([
    ['one interval later', '00.100', '30.000'],
    ['later than now if the time has just come', '30.000', '60.000'],
    ['after all that were missed', '59.999', '60.000'],
  ])('go on %s', (_, now, next) => {
    const expected = next === '60.000' ? '2026-03-01T02:01:00.000Z' : at(next);
    expect(lookAfter({ every: 30 }, at('00.000'), at(now))).toBe(expected);
  });
});
