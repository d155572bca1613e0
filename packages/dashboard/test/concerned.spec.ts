import { expect, it } from '@jest/globals';
import type { ChangeNotice } from '@waybill/client';
import { isConcerned } from '../src/app/concerned.js';

const notice = (more: Partial<ChangeNotice>): ChangeNotice => ({
  position: '1',
  type: 'Changed',
  everything: false,
  queues: ['mail'],
  tasks: ['t1'],
  others: [],
  ...more,
});

it.each([
  [['now', 'task', 't1'], {}, true],
  [['now', 'task', 't2'], {}, false],
  [['now', 'task', 't2'], { tasks: null }, true],
  [['now', 'task', 't2'], { everything: true, tasks: null }, true],
  [['now', 'queue stats', 'mail'], {}, true],
  [['now', 'queue stats', 'sms'], {}, false],
  [['now', 'queue stats', 'sms'], { queues: null }, true],
  [['now', 'health'], {}, true],
  [['now', 'course', 'mail'], { everything: true }, false],
  [['2026-11-23T12:00:00Z', 'task', 't1'], { everything: true }, false],
  [['preview', 'task', 't1'], { everything: true }, false],
] as const)('%j and a notice of %j: %s', (key, more, expected) => {
  expect(isConcerned(key, notice(more))).toBe(expected);
});
