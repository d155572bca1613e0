import { describe, expect, it } from '@jest/globals';
import type { EventView } from '@waybill/client';
import { spansOf } from '../src/tasks/spans.js';

/** An event at this number of seconds. */
const at = (seconds: number, type: string, data: object = {}) =>
  ({ type, data, recordedAt: new Date(seconds * 1_000).toISOString() }) as unknown as EventView;
const claimed = (seconds: number, attempt: number) => at(seconds, 'TaskClaimed', { attempt, worker: 'w1' });
const told = (...events: EventView[]): string[] =>
  spansOf(events).map(({ kind, fromMs, toMs, attempt, end }) =>
    [kind, attempt, fromMs / 1_000, toMs === null ? 'now' : toMs / 1_000, end]
      .filter((one) => one !== undefined)
      .join(' '),
  );

describe('the spans of a task', () => {
  it('are its waits and its attempts', () => {
    expect(told(at(0, 'TaskEnqueued'), claimed(5, 1), at(7, 'TaskSucceeded'))).toEqual([
      'waiting 0 5 TaskClaimed',
      'running 1 5 7 TaskSucceeded',
    ]);
  });

  it('stay open while the task waits or runs', () => {
    expect(told(at(0, 'TaskEnqueued'))).toEqual(['waiting 0 now']);
    expect(told(at(0, 'TaskEnqueued'), claimed(5, 1))).toEqual(['waiting 0 5 TaskClaimed', 'running 1 5 now']);
    expect(told(claimed(5, 1), at(6, 'OfALaterVersion'))).toEqual(['running 1 5 now']);
    expect(told(at(0, 'TaskPrepared'), at(3, 'TaskSubmitted', { heldBy: { by: 'ann' } }))).toEqual([]);
  });

  it('include the wait between attempts, and none after the last', () => {
    const retried = [at(3, 'TaskAttemptFailed'), at(3, 'TaskRetryScheduled')];
    const failed = [at(9, 'TaskAttemptFailed'), at(9, 'TaskFailed')];
    expect(told(at(0, 'TaskEnqueued'), claimed(1, 1), ...retried, claimed(8, 2), ...failed)).toEqual([
      'waiting 0 1 TaskClaimed',
      'running 1 1 3 TaskAttemptFailed',
      'waiting 3 8 TaskClaimed',
      'running 2 8 9 TaskAttemptFailed',
    ]);
  });

  it('end with a hold, and begin again with the release; a step that continues ends none', () => {
    expect(told(at(0, 'TaskEnqueued'), at(2, 'TaskHeld'), at(5, 'TaskReleased'), claimed(6, 1))).toEqual([
      'waiting 0 2 TaskHeld',
      'waiting 5 6 TaskClaimed',
      'running 1 6 now',
    ]);
    const step = (seconds: number, then: string) => at(seconds, 'TaskStepCompleted', { then });
    expect(told(claimed(0, 1), step(1, 'continue'), step(2, 'finish'), at(2, 'TaskSucceeded'))).toEqual([
      'running 1 0 2 TaskStepCompleted',
    ]);
    expect(told(claimed(0, 1), step(1, 'offer'))).toEqual(['running 1 0 1 TaskStepCompleted', 'waiting 1 now']);
  });

  it('are delayed before the task is due, and waiting from then on', () => {
    const due = (seconds: number) => ({ dueAt: new Date(seconds * 1_000).toISOString() });
    expect(told(at(0, 'TaskEnqueued', due(10)), claimed(12, 1))).toEqual([
      'delayed 0 10',
      'waiting 10 12 TaskClaimed',
      'running 1 12 now',
    ]);
    expect(told(at(0, 'TaskEnqueued', due(10)))).toEqual(['delayed 0 10', 'waiting 10 now']);
    expect(told(claimed(0, 1), at(1, 'TaskAttemptFailed'), at(1, 'TaskRetryScheduled', due(6)), claimed(8, 2))).toEqual(
      ['running 1 0 1 TaskAttemptFailed', 'delayed 1 6', 'waiting 6 8 TaskClaimed', 'running 2 8 now'],
    );
    expect(told(at(0, 'TaskEnqueued', due(10)), at(4, 'TaskRescheduled', { dueAt: null }), claimed(5, 1))).toEqual([
      'delayed 0 4',
      'waiting 4 5 TaskClaimed',
      'running 1 5 now',
    ]);
  });

  it('last as long as the history says', () => {
    const events = [
      at(0, 'TaskEnqueued'),
      at(5, 'TaskClaimed', { attempt: 1, worker: 'w1', waitedMs: 4_990 }),
      at(7, 'TaskSucceeded', { ranMs: 2_020 }),
    ];
    expect(spansOf(events).map(({ lastedMs }) => lastedMs)).toEqual([4_990, 2_020]);
    expect(spansOf(events.slice(0, 1)).map(({ lastedMs }) => lastedMs)).toEqual([undefined]);
  });

  it.each([
    ['requeue', ['running 1 0 2 TaskOverruled', 'waiting 2 now']],
    ['fail', ['running 1 0 2 TaskOverruled']],
    ['succeed', ['running 1 0 2 TaskOverruled']],
  ])('follow the overruling: %s', (verdict, spans) => {
    expect(told(claimed(0, 1), at(2, 'TaskOverruled', { verdict }))).toEqual(spans);
  });
});
