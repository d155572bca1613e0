import { describe, expect, it } from '@jest/globals';
import { firstPoll, pollAfter } from '../../../src/domain/trigger/polls.js';

const at = (second: string) => `2026-03-01T02:00:${second}Z`;
const toNext = (every: number, from: string): number =>
  (Date.parse(pollAfter({ every }, from, from)) - Date.parse(from)) / 1_000;

describe('the polls of a queue trigger', () => {
  it('begin at once, at a whole second', () => {
    expect(firstPoll(at('07.612'))).toBe(at('07.000'));
  });

  it.each([
    ['one interval later', '00.100', '30.000'],
    ['later than now if the time has just come', '30.000', '60.000'],
    ['after all that were missed', '59.999', '60.000'],
  ])('go on %s', (_, now, next) => {
    const expected = next === '60.000' ? '2026-03-01T02:01:00.000Z' : at(next);
    expect(pollAfter({ every: 30 }, at('00.000'), at(now))).toBe(expected);
  });

  it('fall into as few seconds as a step allows, ten in each interval', () => {
    const seconds = Array.from({ length: 30 }, (_, second) => at(`${String(second).padStart(2, '0')}.000`));
    expect(new Set(seconds.map((first) => pollAfter({ every: 30 }, first, first))).size).toBe(10);
  });

  it.each([1, 7, 30, 45, 60, 86_400])('are %d s apart, and at first up to a tenth less', (every) => {
    const first = at('59.000');
    const second = pollAfter({ every }, first, first);
    expect(toNext(every, first)).toBeLessThanOrEqual(every);
    expect(toNext(every, first)).toBeGreaterThan(0.9 * every - 0.001);
    expect(toNext(every, second)).toBe(every);
  });
});
