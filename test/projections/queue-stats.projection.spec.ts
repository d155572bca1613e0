import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TASK_STATUSES, type TaskEvent } from '../../src/domain/task/task.events.js';
import type { TaskState } from '../../src/domain/task/task.state.js';
import { ruleFor } from '../../src/projections/kernel/projection.js';
import { queueStats } from '../../src/projections/queue-stats/queue-stats.projection.js';
import { foldCounts } from './model-fold.js';
import { attempts, historyOf } from './random-history.js';

describe('queue stats', () => {
  it('count each state like the deciders, after every append', () => {
    fc.assert(
      fc.property(attempts(), (attempted) => {
        const { events, states } = historyOf(attempted);
        const rows = foldCounts(queueStats, events);
        for (const queue of ['mail', 'scan']) expect(countsIn(rows.get(queue))).toEqual(countsOf(states, queue));
      }),
      { numRuns: 300 },
    );
  });

  it('sum up how long tasks waited and ran, and which failures they had', () => {
    fc.assert(
      fc.property(attempts(), (attempted) => {
        const { events } = historyOf(attempted);
        const rows = foldCounts(queueStats, events);
        for (const queue of ['mail', 'scan']) {
          const mine = events.map(({ event }) => event).filter(({ data }) => data.queue === queue);
          const waited = mine.flatMap((event) => (event.type === 'TaskClaimed' ? [event.data.waitedMs] : []));
          const failures = mine.filter(
            (event) => event.type === 'TaskAttemptFailed' && event.data.error.class === 'bug',
          );
          const row = rows.get(queue) ?? {
            waited_count: 0,
            waited_total_ms: 0,
            waited_max_ms: 0,
            failures_bug: 0,
            ran_count: 0,
          };
          expect(row).toMatchObject({
            waited_count: waited.length,
            waited_total_ms: waited.reduce((sum, ms) => sum + ms, 0),
            waited_max_ms: Math.max(0, ...waited),
            failures_bug: failures.length,
            ran_count: mine.filter(({ type }) => ENDED.has(type)).length,
          });
        }
      }),
    );
  });

  it('throw on an unknown event, and on a later version of a known one', () => {
    expect(() => ruleFor(queueStats, { type: 'TaskTeleported', version: 1 })).toThrow(
      "Expected to project 'TaskTeleported' version 1",
    );
    expect(() => ruleFor(queueStats, { type: 'TaskClaimed', version: 2 })).toThrow(
      "'TaskClaimed' version 2, but version 1",
    );
  });
});

const ENDED = new Set<TaskEvent['type']>([
  'TaskSucceeded',
  'TaskAttemptFailed',
  'TaskLeaseExpired',
  'TaskCancelConfirmed',
  'TaskOverruled',
]);

const countsIn = (row: Record<string, unknown> = {}): number[] =>
  TASK_STATUSES.map((status) => Number(row[status] ?? 0));

function countsOf(states: readonly TaskState[], queue: string): number[] {
  const mine = states.flatMap((state) =>
    state.status !== 'unknown' && state.task.submission.queue === queue ? [state.status] : [],
  );
  return TASK_STATUSES.map((status) => mine.filter((one) => one === status).length);
}
