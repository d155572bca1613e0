import { describe, expect, it } from '@jest/globals';
import type { FailurePolicy, StepPolicy } from '../../../src/domain/task/failure-policy.js';
import { failurePolicyFor } from '../../../src/domain/task/step-policy.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import type { TaskEvent } from '../../../src/domain/task/task.events.js';
import { specFor } from '../../support/decider-spec.js';
import {
  attemptFailed,
  claimed,
  claimedStep,
  command,
  END,
  event,
  failed,
  leaseExpired,
  POLICY,
  retryScheduled,
  undecided,
  withSteps,
} from './examples.js';

const given = specFor(taskDecider);

const AFTER_500_MS = { kind: 'fixed', baseMs: 500, factor: 1, capMs: 10_000, jitter: 'none' } as const;
/** The queue fails its tasks. Only the steps' rules differ. */
const policyWith = (...steps: readonly (string | StepPolicy)[]): FailurePolicy => ({
  ...POLICY.fail,
  retry: { ...POLICY.fail.retry, backoff: AFTER_500_MS },
  steps,
});

const failures = (count: number): TaskEvent[] =>
  Array.from({ length: count }, () => [attemptFailed, retryScheduled, claimedStep]).flat();
const losses = (count: number): TaskEvent[] => Array.from({ length: count }, () => [leaseExpired, claimedStep]).flat();
const fetched = event('TaskStepCompleted', { ...END, step: 'fetch', next: 'check', then: 'continue' });
const inCheck = (...inFetch: readonly TaskEvent[]): TaskEvent[] => [withSteps, claimedStep, ...inFetch, fetched];

describe('an attempt that fails in a step', () => {
  it("is followed by what the step's rules say", () => {
    const policy = policyWith('fetch', { name: 'check', onFailure: 'decide' });
    given(...inCheck())
      .when(command.FailTask({ policy }))
      .then(attemptFailed, undecided);
  });

  it("is followed by what the queue's rules say in the other steps", () => {
    const policy = policyWith({ name: 'check', onFailure: 'decide' });
    given(withSteps, claimedStep)
      .when(command.FailTask({ policy }))
      .then(attemptFailed, failed({ exhausted: true }));
  });

  it("follows the queue's rules if the queue no longer has the step", () => {
    const policy = policyWith({ name: 'paint', onFailure: 'decide' });
    given(...inCheck())
      .when(command.FailTask({ policy }))
      .then(attemptFailed, failed({ exhausted: true }));
  });

  it("does not reach the limit of the step's retries by failures in earlier steps", () => {
    const policy = policyWith('fetch', { name: 'check', onFailure: 'retry', retry: { maxAttempts: 2 } });
    given(...inCheck(...failures(3)))
      .when(command.FailTask({ policy, final: true }))
      .then(attemptFailed, failed({ final: true, decidedBy: 'w1' }));
  });

  it("is retried after the queue's backoff if the step has none", () => {
    const policy = policyWith({ name: 'check', onFailure: 'retry', retry: { maxAttempts: 9 } });
    given(...inCheck())
      .when(command.FailTask({ policy }))
      .then(attemptFailed, retryScheduled);
  });

  it("is retried after the step's backoff", () => {
    const policy = policyWith({ name: 'check', onFailure: 'retry', retry: { backoff: { baseMs: 2_500 } } });
    const dueAt = '2026-03-01T10:00:05.000Z';
    given(...inCheck())
      .when(command.FailTask({ policy }))
      .then(attemptFailed, event('TaskRetryScheduled', { ...retryScheduled.data, dueAt }));
  });

  it.each([
    [1, 'pending'],
    [2, 'failed'],
  ])("is counted from the beginning of the step for the step's limit: failure %i is %s", (nth, status) => {
    const policy = policyWith('fetch', { name: 'check', onFailure: 'retry', retry: { maxAttempts: 2 } });
    const { and } = given(...inCheck(...failures(5)), ...failures(nth - 1)).when(command.FailTask({ policy }));
    expect(and().state()).toMatchObject({ status, task: { failures: 5 + nth } });
  });

  it('waits by the failures of the step if the step limits them', () => {
    const backoff = { kind: 'exponential', factor: 2 } as const;
    const policy = policyWith({ name: 'check', onFailure: 'retry', retry: { maxAttempts: 9, backoff } });
    given(...inCheck(...failures(5)))
      .when(command.FailTask({ policy }))
      .then(attemptFailed, event('TaskRetryScheduled', { ...retryScheduled.data, failures: 6 }));
  });

  it("is counted over the whole task for the queue's limit", () => {
    const policy = policyWith({ name: 'check', onFailure: 'retry', maxLost: 9 });
    const { and } = given(...inCheck(...failures(2))).when(command.FailTask({ policy }));
    expect(and().state().status).toBe('failed');
  });

  it('is counted anew once a person has retried the task', () => {
    const policy = policyWith({ name: 'check', onFailure: 'retry', retry: { maxAttempts: 2 } });
    const retried = event('TaskRetried', { queue: 'ingest', by: 'olga', from: 'failed' });
    const life = [...inCheck(...failures(5)), attemptFailed, failed(), retried, claimed, ...failures(1)];
    const { and } = given(...life).when(command.FailTask({ policy }));
    expect(and().state()).toMatchObject({ status: 'failed', task: { failures: 2 } });
  });
});

describe('a lease that is lost in a step', () => {
  it.each([
    [2, 'pending'],
    [3, 'failed'],
  ])("is counted from the beginning of the step for the step's limit: loss %i is %s", (nth, status) => {
    const policy = policyWith('fetch', { name: 'check', maxLost: 2 });
    const { and } = given(...inCheck(...losses(7)), ...losses(nth - 1)).when(command.ExpireLease({ policy }));
    expect(and().state()).toMatchObject({ status, task: { lost: 7 + nth } });
  });

  it("is counted over the whole task for the queue's limit", () => {
    const policy = policyWith({ name: 'check', onFailure: 'decide' });
    const { and } = given(...inCheck(...losses(3))).when(command.ExpireLease({ policy }));
    expect(and().state().status).toBe('undecided');
  });
});

it('decides the same on the lean state of a running task', () => {
  const policy = policyWith({ name: 'check', onFailure: 'retry', retry: { maxAttempts: 2 }, maxLost: 2 });
  const state = given(...inCheck(...failures(5), ...losses(5))).state();
  const lean = taskDecider.lean!(state)!;
  for (const one of [command.FailTask({ policy }), command.ExpireLease({ policy })])
    expect(taskDecider.decide(one, lean)).toEqual(taskDecider.decide(one, state));
});

it('records nothing more if no step has rules of its own', () => {
  const policy = policyWith('fetch', 'check');
  expect(failurePolicyFor(policy, { nextStep: null, beforeStep: null })).toBe(policy);
  expect(failurePolicyFor(policy, { nextStep: 'check', beforeStep: null })).toBe(policy);
  expect(given(...inCheck()).state()).toHaveProperty('task.beforeStep', null);
});
