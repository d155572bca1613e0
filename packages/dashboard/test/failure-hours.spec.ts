import { describe, expect, it } from '@jest/globals';
import { courseOf, hoursUpTo, LEAST_HOURS, MOST_HOURS } from '../src/failures/hours.js';
import { nameOf } from '../src/graph/node-words.js';

const NOW = Date.parse('2026-11-28T00:20:00Z');
const seen = (at: string) => ({ at, failedTasks: 3, failedAttempts: 4 });

describe('the hours of a failure', () => {
  it('of one hour are twelve of them, up to now', () => {
    const hours = hoursUpTo([seen('2026-11-27T22:00:00.000Z')], NOW);
    expect(hours).toHaveLength(LEAST_HOURS);
    expect(hours.at(-1)).toEqual({ at: '2026-11-28T00:00:00.000Z', failedTasks: 0, failedAttempts: 0 });
    expect(hours.filter(({ failedTasks }) => failedTasks > 0)).toEqual([seen('2026-11-27T22:00:00.000Z')]);
    expect(hours.indexOf(hours.find(({ failedTasks }) => failedTasks > 0)!)).toBe(LEAST_HOURS - 3);
  });

  it('begin with the first, and are those of a week at most', () => {
    expect(hoursUpTo([seen('2026-11-26T00:00:00.000Z')], NOW)[0]).toEqual(seen('2026-11-26T00:00:00.000Z'));
    expect(hoursUpTo([seen('2026-09-01T00:00:00.000Z')], NOW)).toHaveLength(MOST_HOURS);
  });
});

describe('the minutes of a failure', () => {
  const at = (minute: number): string => new Date(Date.parse('2026-11-27T19:00:00Z') + minute * 60_000).toISOString();
  const sawIn = (...minutes: number[]) => ({ hours: [], minutes: minutes.map((minute) => seen(at(minute))).reverse() });
  const filled = ({ bars }: ReturnType<typeof courseOf>): number[] =>
    bars.flatMap(({ failedAttempts }, n) => (failedAttempts > 0 ? [n] : []));

  it('are a bar each, with some before and after, however long ago that was', () => {
    const course = courseOf(sawIn(0, 4, 8, 12), NOW);
    expect(course.minutes).toBe(1);
    expect(course.bars).toHaveLength(30);
    expect(filled(course)).toEqual([3, 7, 11, 15]);
    expect(course.bars[3]!.at).toBe(at(0));
    expect(course.endsAt).toBe(at(27));
  });

  it('end now while it goes on', () => {
    const course = courseOf(sawIn(0, 12), Date.parse(at(12)) + 30_000);
    expect(course.endsAt).toBeNull();
    expect(course.bars).toHaveLength(30);
    expect(filled(course)).toEqual([17, 29]);
  });

  it('are five together if there are 180 of them, with what was seen in all', () => {
    const course = courseOf(sawIn(0, 1, 179), NOW);
    expect(course.minutes).toBe(5);
    expect(course.bars.filter(({ failedAttempts }) => failedAttempts > 0).map((bar) => bar.failedAttempts)).toEqual([
      8, 4,
    ]);
  });

  it('are none of a group that was seen for longer', () => {
    expect(courseOf({ hours: [seen('2026-11-27T22:00:00.000Z')], minutes: null }, NOW)).toMatchObject({
      minutes: 60,
      endsAt: null,
    });
  });
});

describe('names', () => {
  it('of a node without a kind or reference tell which task it is', () => {
    const node = {
      id: '01a21f75-b3b2-7d69-abaf-b3e17ac1b257',
      level: 0,
      queue: 'mail',
      state: 'failed',
      blocked: false,
    };
    expect(nameOf({ ...node, kind: 'task', title: 'task' })).toBe('mail 7ac1b257');
    expect(nameOf({ ...node, kind: 'task', title: 'letter-7' })).toBe('letter-7');
    expect(nameOf({ ...node, kind: 'batch', title: 'task' })).toBe('task');
  });
});
