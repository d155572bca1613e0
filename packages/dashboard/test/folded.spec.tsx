import { expect, it } from '@jest/globals';
import type { ActivityItem } from '@waybill/client';
import { folded } from '../src/activity/folded.js';
import { SubjectLink, SubjectsLink, whatOf } from '../src/activity/subject-link.js';
import { rendered } from './rendered.js';

const line = (more: Partial<ActivityItem>): ActivityItem =>
  ({
    position: '1',
    at: '2026-11-28T01:00:00.000Z',
    by: 'ann',
    category: 'task',
    type: 'TaskCancelled',
    queue: 'mail',
    reason: 'wrong address',
    count: 1,
    ...more,
  }) as ActivityItem;

it('folds lines in a row that say the same of different things, under the newest', () => {
  const items = [
    line({ position: '9', subject: 'c' }),
    line({ position: '8', subject: 'b', count: 2 }),
    line({ position: '7', subject: 'a' }),
  ];
  expect(folded(items)).toEqual([{ item: items[0], lines: 3, count: 4 }]);
});

it.each([
  ['another person', { by: 'bob' }],
  ['another reason', { reason: null }],
  ['another queue', { queue: 'sms' }],
  ['another command', { type: 'TaskHeld' as const }],
])('keeps lines apart of %s, also around them', (_, more) => {
  expect(folded([line({}), line(more), line({})]).map(({ lines }) => lines)).toEqual([1, 1, 1]);
});

it('folds what was done to one queue after the other', () => {
  const defined = { category: 'queue', type: 'QueueDefined', reason: null } as const;
  const items = ['mail', 'sms', 'fax'].map((queue) => line({ ...defined, queue, subject: queue }));
  expect(folded(items).map(({ lines }) => lines)).toEqual([3]);
});

it.each([
  ['waybill.operations', 'TaskEnqueued', 'Operation ordered'],
  ['waybill.operations', 'TaskAborted', 'Operation aborted'],
  ['waybill.erasures', 'TaskReleased', 'Erasure released'],
  ['mail', 'TaskHeld', 'Task held'],
  [null, 'SystemDrained', 'System drained'],
] as const)('says of %s and %s: %s', (queue, type, what) => {
  expect(whatOf({ queue, type })).toBe(what);
});

it.each([
  ['hold', '/holds', '3 holds'],
  ['resource', '/holds', '3 resources'],
  ['trigger', '/triggers', '3 triggers'],
  ['batch', '/batches', '3 batches'],
  ['queue', '/queues', '3 queues'],
] as const)('leads from a %s, and from several of them, to %s', async (category, address, several) => {
  const item = line({ category, subject: 'maps', queue: null });
  expect(await rendered(<SubjectLink item={item} />)).toContain(`href="${address}`);
  const link = await rendered(<SubjectsLink item={item} lines={3} />);
  expect([link.includes(`href="${address}"`), link.includes(several)]).toEqual([true, true]);
});
