import { describe, expect, it } from '@jest/globals';
import { percentOf } from '../../src/projections/kernel/progress.js';

const bar = (start: number, end: number, position: number) => ({ title: 't', start, end, position });

describe('the percentage of a task', () => {
  it.each([
    ['none without bars', [], null],
    ['the bar', [bar(0, 120, 70)], 58],
    ['exact at whole percents', [bar(0, 100, 29)], 29],
    ['the mean of all bars', [bar(0, 10, 10), bar(5, 25, 10)], 62],
    ['100 only if all is done', [bar(0, 10_000, 9_999)], 99],
    ['within 0 and 100', [bar(0, 10, 30), bar(0, 10, -5)], 50],
    ['of a bar that counts down', [bar(10, 0, 4)], 60],
    ['100 if there is nothing to do', [bar(0, 0, 0)], 100],
  ])('is %s', (_, bars, percent) => expect(percentOf(bars)).toBe(percent));
});
