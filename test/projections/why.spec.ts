import { DEFAULT_POLICY } from '../../src/domain/queue/queue.policy.js';
import { type Facts, reasonsOf } from '../../src/projections/task-why/why.js';

/** The reasons for a pending task that nothing keeps from running except the given facts. */
const reasons = (facts: Partial<Facts>, queue: Partial<Facts['queue']> = {}) => {
  const pause = { by: 'otto', reason: null, until: null, failure: null };
  const open = {
    withheld: null,
    policy: DEFAULT_POLICY,
    failureStreak: 0,
    pause,
    awaited: [],
  };
  const free = {
    state: 'pending' as const,
    dueAt: null,
    retry: null,
    run: null,
    key: null,
    gate: null,
    signal: null,
    gathering: null,
    quarantined: null,
    keyOccupant: null,
    keyBlocker: null,
    reason: null,
    blockers: { count: 0, first: [] },
    hold: null,
    shortOf: [],
    drain: null,
    failingTarget: null,
    workers: { lastPolledAt: null, lacking: null },
  };
  return reasonsOf({
    ...free,
    labels: null,
    paced: [],
    turnsBefore: null,
    running: [],
    leaseOver: null,
    ...facts,
    queue: { ...open, ...queue },
  });
};

describe('the reason why a task is not running', () => {
  it('is that no worker has asked yet, if there is no other', () => {
    expect(reasons({})).toEqual([{ because: 'worker', unattended: false, lastPolledAt: null }]);
  });

  it('says how many turns come before its own in a queue with fair shares', () => {
    const worker = { because: 'worker', unattended: false, lastPolledAt: null };
    expect(reasons({ turnsBefore: 2 })).toEqual([{ ...worker, turnsBefore: 2 }]);
  });

  it('may be a finished queue in which a failed task was retried', () => {
    expect(reasons({}, { withheld: 'finished' })).toEqual([{ because: 'queue-finished' }]);
  });

  it('may be a drain of the whole system, whatever the queue says', () => {
    const drain = { by: 'ann', reason: 'we deploy' };
    expect(reasons({ drain }, { withheld: 'paused' })).toEqual([{ because: 'draining', ...drain }]);
  });

  it('may be the last allowed failure in a row, before the queue is paused', () => {
    expect(reasons({}, { withheld: 'failing', failureStreak: 3 })).toEqual([{ because: 'queue-failing', failures: 3 }]);
  });

  it('may be both the task that has the key and the failure of another', () => {
    const keyBlocker = { taskId: 'b', state: 'failed' } as const;
    expect(reasons({ gate: 'key', key: 'k', keyOccupant: 'a', keyBlocker })).toEqual([
      { because: 'key', key: 'k', taskId: 'a' },
      { because: 'key-failure', key: 'k', taskId: 'b', state: 'failed' },
    ]);
  });

  it('may be that the history cannot be read, whatever the state', () => {
    const quarantined = { reason: 'it is damaged', position: '7', at: '2026-01-01', until: '2026-01-02' };
    expect(reasons({ quarantined })).toEqual([{ because: 'quarantined', ...quarantined }]);
    expect(reasons({ quarantined, state: 'running' })[0]).toEqual({ because: 'quarantined', ...quarantined });
  });

  it('may be that the task has ended', () => {
    expect(reasons({ state: 'failed' })).toEqual([{ because: 'state', state: 'failed' }]);
  });
});
