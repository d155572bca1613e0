import { describe, expect, it } from '@jest/globals';
import { cronFault, newestOccurrences, nextOccurrence } from '../../../src/application/kernel/cron.js';
import type { CronPattern } from '../../../src/domain/kernel/cron.js';
import { sizeOf } from '../../support/sizes.js';

describe('the next occurrence of a pattern', () => {
  const next = (pattern: CronPattern, now: string): string => {
    const occurrence = nextOccurrence(pattern, now);
    return 'at' in occurrence ? occurrence.at : occurrence.reason;
  };
  const berlin = (cron: string, now: string): string => next({ cron, timeZone: 'Europe/Berlin' }, now);

  it('comes after the given time, never at it', () => {
    expect(berlin('0 12 * * *', '2026-06-01T10:00:00.000Z')).toBe('2026-06-02T10:00:00.000Z');
    expect(berlin('0 12 * * *', '2026-06-01T09:59:59.999Z')).toBe('2026-06-01T10:00:00.000Z');
  });

  it('follows the clocks of its time zone', () => {
    expect(berlin('0 12 * * *', '2026-01-01T00:00:00.000Z')).toBe('2026-01-01T11:00:00.000Z');
    expect(next({ cron: '0 12 * * *', timeZone: 'UTC' }, '2026-01-01T00:00:00.000Z')).toBe('2026-01-01T12:00:00.000Z');
  });

  it('at a time that the clocks skip in spring is the end of the gap', () => {
    expect(berlin('30 2 * * *', '2026-03-28T12:00:00.000Z')).toBe('2026-03-29T01:00:00.000Z');
  });

  it('at a time that occurs twice in autumn is the first one', () => {
    const first = berlin('30 2 * * *', '2026-10-24T12:00:00.000Z');
    expect(first).toBe('2026-10-25T00:30:00.000Z');
    expect(berlin('30 2 * * *', first)).toBe('2026-10-26T01:30:00.000Z');
  });

  it('in an open hour that occurs twice is in both', () => {
    const first = berlin('30 * * * *', '2026-10-25T00:00:00.000Z');
    expect([first, berlin('30 * * * *', first)]).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']);
  });

  it('of a date pattern that the policy accepted earlier is none after the date', () => {
    const cron = '2026-01-01T00:00:00Z';
    expect(next({ cron, timeZone: 'UTC' }, cron)).toBe('It names no time that comes');
  });
});

/** From look to look: small, at another minute of each hour. */
const STEP_MS = sizeOf(10, 50) * 60_000;

describe('the occurrences that a service missed', () => {
  const ahead = (pattern: CronPattern, from: string, to: string): string[] => {
    const times: string[] = [];
    for (let at = from; ; times.push(at)) {
      at = (nextOccurrence(pattern, at) as { at: string }).at;
      if (at > to) return times;
    }
  };

  // The clocks change within these days: by an hour, in Lord Howe by half an hour, and in Cairo at midnight.
  it.each([
    ['Europe/Berlin', '2026-03-28', '2026-03-30'],
    ['Europe/Berlin', '2026-10-24', '2026-10-26'],
    ['Australia/Lord_Howe', '2026-04-04', '2026-04-06'],
    ['Australia/Lord_Howe', '2026-10-03', '2026-10-05'],
    ['Africa/Cairo', '2026-04-23', '2026-04-25'],
    ['Africa/Cairo', '2026-10-29', '2026-10-31'],
  ])('in %s from %s are those that it would have waited for, wherever it looks', (timeZone, day, last) => {
    const [from, to] = [`${day}T12:10:00.000Z`, `${last}T12:00:00.000Z`];
    for (const cron of ['30 2 * * *', '0 2 * * *', '15 0,1 * * *', '*/20 1-3 * * *', '30 * * * *', '0 0 * * *']) {
      const times = ahead({ cron, timeZone }, from, to);
      expect(newestOccurrences({ cron, timeZone }, { from, to, count: 1_000 })).toEqual(times);
      for (let now = Date.parse(from); now < Date.parse(times.at(-1)!); now += STEP_MS) {
        const at = new Date(now).toISOString();
        expect(nextOccurrence({ cron, timeZone }, at)).toEqual({ at: times.find((time) => time > at) });
      }
    }
  });
});

it.each([
  ['every now and then', 'UTC'],
  ['0 12 * * * *', 'UTC'],
  ['0 12 * * *', 'Mars/Olympus'],
  ['0 0 30 2 *', 'UTC'],
  ['2030-01-01T00:00:00Z', 'UTC'],
  ['2030-01-01 00:00:00', 'UTC'],
  ['@daily', 'UTC'],
])("refuses '%s' in %s as a pattern", (cron, timeZone) => {
  expect(cronFault({ cron, timeZone }, '2026-01-01T00:00:00.000Z')).toEqual({
    code: 'CRON_INVALID',
    cron,
    reason: expect.any(String),
  });
  expect(cronFault({ cron: '0 12 * * *', timeZone: 'UTC' }, '2026-01-01T00:00:00.000Z')).toBeNull();
});
