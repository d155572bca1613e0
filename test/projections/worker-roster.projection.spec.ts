import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TaskEvent } from '../../src/domain/task/task.events.js';
import { workerRoster } from '../../src/projections/worker-roster/worker-roster.projection.js';
import { foldCounts } from './model-fold.js';
import { attempts, historyOf } from './random-history.js';

describe('the worker roster', () => {
  it('shows the same running tasks as the deciders, however attempts end', () => {
    fc.assert(
      fc.property(attempts(), (attempted) => {
        const { events, states } = historyOf(attempted);
        const rows = [...foldCounts(workerRoster, events).values()];
        for (const worker of ['w0', 'w1', 'w2']) {
          const shown = rows.filter((row) => row.worker === worker).reduce((sum, row) => sum + Number(row.running), 0);
          expect(shown).toBe(
            states.filter((state) => state.status === 'running' && state.lease.worker === worker).length,
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('counts the claims of each worker and the outcomes of its attempts', () => {
    fc.assert(
      fc.property(attempts(), (attempted) => {
        const { events } = historyOf(attempted);
        for (const row of foldCounts(workerRoster, events).values()) {
          const count = (type: TaskEvent['type']): number =>
            events.filter(({ event }) => event.type === type && isOf(event, row)).length;
          expect(row).toMatchObject({
            claimed: count('TaskClaimed'),
            succeeded: count('TaskSucceeded'),
            failed: count('TaskAttemptFailed'),
            lost: count('TaskLeaseExpired'),
            returned: count('TaskReturned'),
          });
        }
      }),
    );
  });

  it("shows a worker's server by its latest claim, and does not count a lost lease as a sign of life", () => {
    const of = { queue: 'mail', attempt: 1, token: '1', worker: 'w1' };
    const claimed = { ...of, server: 's1', claimId: 'c', leaseMs: 1, claimedAt: '', waitedMs: 0 };
    const rows = foldCounts(workerRoster, [
      recorded(1, { type: 'TaskClaimed', version: 1, data: claimed }),
      recorded(2, { type: 'TaskClaimed', version: 1, data: { ...claimed, server: 's2' } }),
      recorded(3, { type: 'TaskLeaseExpired', version: 1, data: { ...of, ranMs: 1 } }),
    ]);
    expect(rows.get('w1/mail')).toMatchObject({
      server: 's2',
      first_seen: time(1),
      last_seen: time(2),
      running: 1,
      lost: 1,
    });
  });

  it('shows that a worker was there by each of its reports, and not by what others asked of it', () => {
    const of = { queue: 'mail', attempt: 1, token: '1', worker: 'w1' };
    const error = { message: 'slow', class: 'transient' } as const;
    const late = recorded(4, { type: 'TaskLateReportRefused', version: 1, data: { ...of, report: 'succeed' } });
    const asked = recorded(5, { type: 'TaskCancelRequested', version: 1, data: { ...of, by: 'ann', then: 'held' } });
    const reported = recorded(3, { type: 'TaskErrorReported', version: 1, data: { ...of, error } });
    const lastSeen = (...events: ReturnType<typeof recorded>[]) =>
      foldCounts(workerRoster, events).get('w1/mail')!.last_seen;
    expect(lastSeen(reported)).toBe(time(3));
    expect(lastSeen(reported, late, asked)).toBe(time(4));
  });
});

const time = (n: number): string => `2026-11-21T08:00:0${n}.000Z`;

const recorded = (n: number, event: TaskEvent) => ({
  position: BigInt(n),
  stream: 'task-1',
  revision: n,
  id: String(n),
  recordedAt: time(n),
  event,
  envelope: { actor: 'a', correlationId: 'c' },
});

const isOf = ({ data }: TaskEvent, row: Record<string, unknown>): boolean =>
  data.queue === row.queue && 'worker' in data && data.worker === row.worker;
