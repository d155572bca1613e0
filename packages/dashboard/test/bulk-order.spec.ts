import { describe, expect, it } from '@jest/globals';
import { optionsOf, selectionOf } from '../src/tasks/bulk-order.js';

const failed = { q: 'queue:mail state:failed', isOverdue: true, isByDeadline: true };

describe('the tasks of a command', () => {
  it('are those that somebody has chosen', () => {
    expect(selectionOf(failed, ['7', '8'])).toEqual({ tasks: ['7', '8'] });
  });

  it('are all that match, in whatever order the list shows them', () => {
    expect(selectionOf(failed, 'all')).toEqual({ filter: { q: 'queue:mail state:failed', overdue: true } });
    expect(selectionOf({ q: '' }, 'all')).toEqual({ all: true });
  });

  it('are 500 at most by their ids', () => {
    const ids = Array.from({ length: 501 }, (_, n) => String(n));
    expect(selectionOf(failed, ids)).toEqual({ tasks: ids.slice(0, 500) });
  });
});

describe('what is typed for a command', () => {
  const typed = { reason: ' the disk is empty again ', priority: '7', pace: { perSecond: '5', canary: '3' } };
  const canary = { first: 3, goOnIf: 0.8 };

  it('is sent with it: a priority if it takes one, and a pace to tasks that are found', () => {
    const reason = 'the disk is empty again';
    expect(optionsOf({}, { tasks: ['7'] }, typed)).toEqual({ reason });
    expect(optionsOf({ hasPriority: true }, { tasks: ['7'] }, typed)).toEqual({ reason, priority: 7 });
    expect(optionsOf({}, { filter: {} }, typed)).toEqual({ reason, perSecond: 5, canary });
  });

  it('is left out where nothing is typed', () => {
    const nothing = { reason: ' ', priority: '0', pace: { perSecond: '', canary: '' } };
    expect(optionsOf({}, { filter: {} }, nothing)).toEqual({ reason: undefined });
  });
});
