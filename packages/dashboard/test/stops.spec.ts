import { describe, expect, it } from '@jest/globals';
import { rangeBefore } from '../src/time/range-before.js';
import { around, spanOf } from '../src/time/stops.js';

const at = (position: string, second: number) => ({ position, recordedAt: `2026-11-23T03:00:0${second}.000Z` });
const STOPS = [at('9', 1), at('10', 2), at('11', 2), at('200', 5)];

const positions = (moment: string) => {
  const { before, after } = around(STOPS, moment);
  return [before?.position ?? null, after?.position ?? null];
};

describe('the events next to a moment', () => {
  it('are those on both sides of a position, by numbers and not by digits', () => {
    expect(positions('10')).toEqual(['9', '11']);
    expect(positions('50')).toEqual(['11', '200']);
  });

  it('are the last that a time shows, and the first that it does not', () => {
    expect(positions('2026-11-23T03:00:02.000Z')).toEqual(['11', '200']);
    expect(positions('2026-11-23T03:00:03.000Z')).toEqual(['11', '200']);
  });

  it('are none beyond the first and the last', () => {
    expect(positions('9')).toEqual([null, '10']);
    expect(positions('200')).toEqual(['11', null]);
    expect(positions('2026-11-23T02:00:00.000Z')).toEqual([null, '9']);
  });
});

it.each(['2d', '', undefined])('takes a day for the range %j that it does not know', (text) =>
  expect(spanOf(text)).toBe('24h'),
);

describe('a range that ends at a moment', () => {
  const noon = Date.parse('2026-11-23T12:00:00Z');

  it('begins so long before it', () => {
    expect(rangeBefore('24h', noon)).toEqual({ since: '2026-11-22T12:00:00.000Z', until: '2026-11-23T12:00:00.001Z' });
    expect(rangeBefore('2d', noon).since).toBe('2026-11-21T12:00:00.000Z');
  });

  it('begins at a time that is said', () => {
    expect(rangeBefore('2026-11-20', noon).since).toBe('2026-11-20');
  });
});
