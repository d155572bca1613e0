import { describe, expect, it } from '@jest/globals';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import type { BackoffPolicy, FailurePolicy } from '../../../src/domain/task/failure-policy.js';
import type { ErrorClass } from '../../../src/domain/task/task.events.js';
import type { KnownTask } from '../../../src/domain/task/task.state.js';
import { specFor } from '../../support/decider-spec.js';
import {
  attemptFailed,
  claimed,
  command,
  END,
  enqueued,
  ERROR,
  undecided,
  event,
  failed,
  leaseExpired,
  OTHER_TASK,
  POLICY,
  retryScheduled,
  RUNNING,
} from './examples.js';

const given = specFor(taskDecider);
const FIXED: FailurePolicy = {
  ...POLICY.retry,
  retry: {
    maxAttempts: 3,
    classes: ['transient'],
    backoff: { kind: 'fixed', baseMs: 500, factor: 1, capMs: 10_000, jitter: 'none' },
  },
};

describe('footnote 7: a failed attempt', () => {
  it('fails the task if the policy says so', () => {
    given(enqueued, claimed)
      .when(command.FailTask())
      .then(attemptFailed, failed({ exhausted: true }));
  });

  it('waits for a decision if the policy says so', () => {
    given(enqueued, claimed)
      .when(command.FailTask({ policy: POLICY.decide }))
      .then(attemptFailed, undecided);
  });

  it('is retried after the backoff if the policy says so', () => {
    given(enqueued, claimed)
      .when(command.FailTask({ policy: FIXED }))
      .then(attemptFailed, retryScheduled);
  });

  it('cannot be claimed before its retry is due', () => {
    const { and } = given(enqueued, claimed).when(command.FailTask({ policy: FIXED }));
    expect(and().state()).toMatchObject({ status: 'pending', task: { dueAt: retryScheduled.data.dueAt, failures: 1 } });
  });

  it('is retried as often as the policy says, then the task fails', () => {
    let life = given(enqueued);
    for (const token of ['11', '12', '13']) {
      life = life
        .when(command.ClaimTask({ token }))
        .and()
        .when(command.FailTask({ token, policy: FIXED }))
        .and();
      expect(life.state().status).toBe(token === '13' ? 'failed' : 'pending');
    }
    expect(life.state()).toMatchObject({ task: { attempt: 3, failures: 3 }, final: false });
  });

  it.each<[ErrorClass, string]>([
    ['transient', 'pending'],
    ['bug', 'failed'],
    ['business', 'failed'],
    ['application', 'failed'],
  ])('of class %s is %s under a policy for transient errors only (S0-28)', (errorClass, status) => {
    const { and } = given(enqueued, claimed).when(
      command.FailTask({ policy: FIXED, error: { ...ERROR, class: errorClass } }),
    );
    expect(and().state().status).toBe(status);
  });

  it.each(['fail', 'retry', 'decide'] as const)('marked final is final under policy %s', (onFailure) => {
    given(enqueued, claimed)
      .when(command.FailTask({ policy: POLICY[onFailure], final: true }))
      .then(attemptFailed, failed({ final: true, decidedBy: 'w1', ...(onFailure !== 'retry' && { exhausted: true }) }));
  });

  it('is retried when the worker asks, not when the backoff says', () => {
    given(enqueued, claimed)
      .when(command.FailTask({ policy: FIXED, retryAfterMs: 60_000 }))
      .then(attemptFailed, event('TaskRetryScheduled', { ...retryScheduled.data, dueAt: '2026-03-01T10:01:02.500Z' }));
  });

  it.each([
    ['the policy fails', { policy: POLICY.fail }, 'failed'],
    ['the policy asks for a decision', { policy: POLICY.decide }, 'undecided'],
    ['the limit is reached', { policy: { ...FIXED, retry: { ...FIXED.retry, maxAttempts: 1 } } }, 'failed'],
  ] as const)('a requested retry is not granted if %s', (_, changes, status) => {
    const { and } = given(enqueued, claimed).when(command.FailTask({ retryAfterMs: 10, ...changes }));
    expect(and().state().status).toBe(status);
  });

  it('fails if another task waits for its key (S0-42)', () => {
    given(enqueued, claimed)
      .when(command.FailTask({ policy: FIXED, conflictingTaskId: OTHER_TASK }))
      .then(attemptFailed, failed({ conflictingTaskId: OTHER_TASK }));
  });

  it('names no conflicting task if it would not have waited', () => {
    given(enqueued, claimed)
      .when(command.FailTask({ conflictingTaskId: OTHER_TASK }))
      .then(attemptFailed, failed({ exhausted: true }));
    given(enqueued, claimed)
      .when(command.FailTask({ policy: POLICY.decide, conflictingTaskId: OTHER_TASK }))
      .then(attemptFailed, undecided);
  });

  it.each(['toBeCancelled', 'toBeHeld'] as const)('is not retried automatically: %s', (turn) => {
    given(...RUNNING[turn])
      .when(command.FailTask({ policy: FIXED }))
      .then(attemptFailed, failed());
  });
});

const BACKOFF = { kind: 'fixed', baseMs: 1_000, factor: 2, capMs: 5_000, jitter: 'full' } as const;

describe('a lost lease', () => {
  const LOST = {
    message: "Expected worker 'w1' to settle attempt 1 before its lease ended, but it did not",
    class: 'lost',
  } as const;

  it.each(['fail', 'retry', 'decide'] as const)('puts the task back to waiting under policy %s', (onFailure) => {
    const expiry = given(enqueued, claimed).when(command.ExpireLease({ policy: POLICY[onFailure] }));
    expiry.then(leaseExpired);
    expect(expiry.and().state()).toMatchObject({ status: 'pending', task: { attempt: 1, lost: 1, failures: 0 } });
  });

  it('puts it back as often as the policy says, then the task fails', () => {
    let life = given(enqueued);
    const policy = { ...POLICY.retry, maxLost: 2 };
    for (const token of ['11', '12', '13']) {
      life = life.when(command.ClaimTask({ token })).and().when(command.ExpireLease({ token, policy })).and();
      expect(life.state().status).toBe(token === '13' ? 'failed' : 'pending');
    }
  });

  it.each<[string, Partial<BackoffPolicy>, readonly number[]]>([
    ['as the backoff says', {}, [0, 1_000, 2_000, 4_000, 5_000, 5_000]],
    ['whose failures are retried at once', { baseMs: 0 }, [0, 1_000, 2_000, 4_000, 5_000, 5_000]],
    ['whose failures are retried soon', { baseMs: 300 }, [0, 1_000, 2_000, 4_000, 5_000, 5_000]],
    [
      'whose failures are retried after a fixed time',
      { kind: 'fixed', baseMs: 2_000 },
      [0, 2_000, 4_000, 5_000, 5_000, 5_000],
    ],
    ['that never waits', { baseMs: 0, capMs: 0 }, [0, 0, 0, 0, 0, 0]],
  ])(
    'makes a task %s wait from the second time in a row on, longer each time up to a bound',
    (_, backoff, expected) => {
      const retry = { ...POLICY.retry.retry, backoff: { ...BACKOFF, ...backoff } };
      const policy = { ...POLICY.retry, maxLost: null, retry };
      let life = given(enqueued);
      const pauses: number[] = [];
      for (const token of ['11', '12', '13', '14', '15', '16']) {
        const expiry = life.when(command.ClaimTask({ token })).and().when(command.ExpireLease({ token, policy }));
        const { task } = expiry.and().state() as KnownTask;
        pauses.push(task.dueAt === null ? 0 : Date.parse(task.dueAt) - Date.parse(command.ExpireLease().now));
        life = expiry.and();
      }
      expect(pauses).toEqual(expected);
    },
  );

  it('says how often and by which workers the task was lost', () => {
    let life = given(enqueued);
    for (const token of ['11', '12', '13', '14']) {
      const claim = command.ClaimTask({ token, worker: `vm-${token}` });
      const expiry = command.ExpireLease({ token, policy: { ...POLICY.retry, maxLost: 3 } });
      life = life.when(claim).and().when(expiry).and();
    }
    expect(life.state()).toMatchObject({
      status: 'failed',
      error: {
        message: expect.stringMatching(
          /attempt 4 .*; the task was lost 4 times \(last by 'vm-11', 'vm-12', 'vm-13', 'vm-14'\)$/,
        ),
        class: 'lost',
      },
    });
  });

  it('is recorded as the error of the task that fails', () => {
    given(enqueued, claimed)
      .when(command.ExpireLease({ policy: { ...POLICY.fail, maxLost: 0 } }))
      .then(leaseExpired, failed({ error: LOST, exhausted: true }));
  });

  it('is recorded as the error of the task that waits for a decision', () => {
    given(enqueued, claimed)
      .when(command.ExpireLease({ policy: { ...POLICY.decide, maxLost: 0 } }))
      .then(leaseExpired, event('TaskDecisionRequested', { ...undecided.data, error: LOST }));
  });

  it('fails the task if another one waits for its key (S0-42)', () => {
    given(enqueued, claimed)
      .when(command.ExpireLease({ conflictingTaskId: OTHER_TASK }))
      .then(leaseExpired, failed({ error: LOST, conflictingTaskId: OTHER_TASK }));
  });

  it('is counted separately from failures', () => {
    const { and } = given(enqueued, claimed).when(command.FailTask({ policy: FIXED }));
    expect(and().state()).toMatchObject({ task: { failures: 1, lost: 0 } });
  });

  it('records how long the worker had the task', () => {
    given(enqueued, claimed)
      .when(command.ExpireLease({ now: '2026-03-01T10:00:31.000Z' }))
      .then(event('TaskLeaseExpired', { ...END, ranMs: 31_000 }));
  });
});
