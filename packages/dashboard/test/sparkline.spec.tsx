import { expect, it } from '@jest/globals';
import { Sparkline } from '../src/ui/sparkline.js';
import { courseOf } from '../src/time/course.js';
import type { QueueHistory } from '@waybill/client';
import { rendered } from './rendered.js';

it('a course of nothing is no line, also if nothing but zeros is known', async () => {
  expect(await rendered(<Sparkline values={[]} about="the last hour" />)).toBe('');
  expect(await rendered(<Sparkline values={[0, 0]} alarms={[0, 0]} about="the last hour" />)).toBe('');
  expect(await rendered(<Sparkline values={[0, 1]} about="the last hour" />)).toContain('the last hour');
  expect(await rendered(<Sparkline values={[0, 0]} alarms={[0, 2]} about="the last hour" />)).toContain('<rect');
});

it('the course of several queues is what they did together, also if one was asked an interval later', () => {
  const history = (...buckets: readonly [at: string, succeeded: number, failed: object][]) =>
    ({ buckets: buckets.map(([at, succeeded, failed]) => ({ at, succeeded, failed })) }) as unknown as QueueHistory;
  const one = history(['03:00', 1, { bug: 1 }], ['03:15', 2, {}]);
  const other = history(['03:15', 10, { bug: 2, lost: 3 }], ['03:30', 20, {}]);
  expect(courseOf([one, other])).toEqual({ succeeded: [1, 12, 20], failed: [1, 5, 0] });
});
