import { describe, expect, it } from '@jest/globals';
import { typedMoment } from '../src/time/typed-moment.js';

describe('a moment that somebody types', () => {
  const now = new Date(2026, 10, 23, 12, 0);

  it('is a position if it is a number', () => {
    expect(typedMoment(' 93845 ', now)).toBe('93845');
  });

  it('is the latest time of the day that has passed', () => {
    expect(typedMoment('03:12', now)).toBe(new Date(2026, 10, 23, 3, 12).toISOString());
    expect(typedMoment('23:30:05', now)).toBe(new Date(2026, 10, 22, 23, 30, 5).toISOString());
  });

  it('is a time with its date', () => {
    expect(typedMoment('2026-11-20 03:12:05', now)).toBe(new Date(2026, 10, 20, 3, 12, 5).toISOString());
  });

  it('is left to the service if it is neither: `10m` is how long ago', () => {
    expect(typedMoment('10m', now)).toBe('10m');
  });
});
