import { describe, expect, it } from '@jest/globals';
import { cronFault, nextOccurrence } from '../../../src/application/kernel/cron.js';
import type { CronPattern } from '../../../src/domain/kernel/cron.js';

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
