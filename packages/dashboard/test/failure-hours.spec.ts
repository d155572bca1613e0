import { describe, expect, it } from '@jest/globals';
import { hoursUpTo, LEAST_HOURS, MOST_HOURS } from '../src/failures/hours.js';
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
