import { describe, expect, it } from '@jest/globals';
import type { EventView } from '@waybill/client';
import { attemptsOf } from '../src/tasks/attempts-of.js';

const event = (type: string, data: object, effects: readonly string[] = []) =>
  ({ type, data, effects, recordedAt: '2026-11-23T00:00:00Z' }) as unknown as EventView;
const claimed = (attempt: number) => event('TaskClaimed', { attempt, worker: `w${attempt}` }, ['begins-run']);
const error = { class: 'bug', message: 'broken' };

describe('the attempts of a task', () => {
  it('are told with their workers, times and errors, also the one that runs', () => {
    const events = [
      event('TaskEnqueued', {}),
      claimed(1),
      event('TaskAttemptFailed', { ranMs: 5, error }),
      event('TaskRetryScheduled', {}),
      claimed(2),
      event('TaskLeaseExpired', { worker: 'w2' }),
      claimed(3),
    ];
    expect(attemptsOf(events)).toEqual([
      { number: 1, worker: 'w1', ranMs: 5, error, end: 'failed' },
      { number: 2, worker: 'w2', end: 'the worker was lost' },
      { number: 3, worker: 'w3', end: 'runs' },
    ]);
  });

  it('end with the step after which the task waits again, and go on with the others', () => {
    const completed = (then: string) => event('TaskStepCompleted', { ranMs: 5, step: 'read', then });
    const events = [claimed(1), completed('continue'), completed('offer'), claimed(2), completed('continue')];
    expect(attemptsOf(events)).toMatchObject([{ ranMs: 5, end: 'completed its step' }, { end: 'runs' }]);
    const last = [claimed(1), completed('finish'), event('TaskSucceeded', { ranMs: 7 })];
    expect(attemptsOf(last)).toMatchObject([{ ranMs: 7, end: 'succeeded' }]);
  });

  it('are none before the first', () => {
    expect(attemptsOf([event('TaskEnqueued', {})])).toEqual([]);
  });
});
