import { describe, expect, it } from '@jest/globals';
import { briefTime, duration, exactTime, relativeTime } from '../src/ui/times.js';

describe('durations', () => {
  it.each([
    [0, '0 ms'],
    [143, '143 ms'],
    [4_200, '4.2 s'],
    [41_000, '41 s'],
    [60_000, '1 min'],
    [150_000, '2 min 30 s'],
    [7_800_000, '2 h 10 min'],
    [90_000_000, '1 d 1 h'],
  ])('shows %d ms as %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });
});

describe('times beside now', () => {
  it.each([
    [-1_000, 'now'],
    [-5_000, '5 s ago'],
    [-240_000, '4 min ago'],
    [7_200_000, 'in 2 h'],
  ])('shows %d ms from now as %s', (ms, text) => {
    expect(relativeTime(1_000_000_000 + ms, 1_000_000_000)).toBe(text);
  });
});

describe('times of a day', () => {
  const day = new Date('2026-11-28T12:00:00Z');

  it('name their zone where they stand alone, and not where many stand below each other', () => {
    const at = '2026-11-28T14:04:12Z';
    expect(exactTime(at, day)).toBe(`${briefTime(at, day)} UTC`);
    expect(briefTime(at, day)).toBe('Nov 28, 14:04:12');
  });

  it('name the year if it is another one', () => {
    expect(briefTime('2025-01-02T03:04:05Z', day)).toContain('2025');
  });
});
