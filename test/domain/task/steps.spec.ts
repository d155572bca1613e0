import { describe, expect, it } from '@jest/globals';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import { specFor } from '../../support/decider-spec.js';
import {
  attemptFailed,
  cancelled,
  claimed,
  claimedStep,
  command,
  END,
  event,
  failed,
  enqueued,
  OTHER_TASK,
  POLICY,
  RUNNING,
  STEPS,
  succeeded,
  withSteps,
} from './examples.js';

const given = specFor(taskDecider);
const fetched = (then: 'continue' | 'offer') =>
  event('TaskStepCompleted', { ...END, step: 'fetch', next: 'check', then });
const finished = event('TaskStepCompleted', { ...END, step: 'store', then: 'finish' });

describe('footnote 5: a task with steps', () => {
  it('is claimed for its first step', () => {
    given(withSteps).when(command.ClaimTask()).then(claimedStep);
  });

  it('enters its first step when it is claimed, or released from a hold', () => {
    const held = { by: 'ann' };
    const waits = given(event('TaskEnqueued', { ...withSteps.data, heldBy: held }));
    expect(waits.state()).toMatchObject({ task: { entered: false } });
    expect(waits.when(command.ReleaseTask()).and().state()).toMatchObject({
      status: 'pending',
      task: { entered: true },
    });
    expect(given(withSteps).when(command.ClaimTask()).and().state()).toMatchObject({ task: { entered: true } });
  });

  it('stays in its step when the claim is returned', () => {
    const returned = given(...RUNNING.firstStep).when(command.ReturnTask());
    expect(returned.and().state()).toMatchObject({ status: 'pending', task: { attempt: 0, entered: true } });
  });

  it('without steps, enters none', () => {
    expect(given(enqueued).when(command.ClaimTask()).and().state()).toMatchObject({ task: { entered: false } });
  });

  it('continues under the same claim with the next step', () => {
    const step = given(...RUNNING.firstStep).when(command.CompleteStep());
    step.then(fetched('continue'));
    expect(step.and().state()).toMatchObject({
      status: 'running',
      task: { nextStep: 'check', lastSuccessfulStep: 'fetch', attempt: 1 },
    });
  });

  it('waits again for any worker, which learns the next step', () => {
    const step = given(...RUNNING.firstStep).when(command.CompleteStep({ then: 'offer', result: [1] }));
    step.then(event('TaskStepCompleted', { ...fetched('offer').data, key: 'a.txt', result: [1] }));
    step
      .and()
      .when(command.ClaimTask({ token: '8' }))
      .then(event('TaskClaimed', { ...claimed.data, token: '8', attempt: 2, step: 'check' }));
  });

  it('succeeds with its last step, whose result is the task’s', () => {
    given(...RUNNING.lastStep)
      .when(command.CompleteStep({ step: 'store', then: 'offer', result: 'done' }))
      .then(finished, event('TaskSucceeded', { ...succeeded.data, result: 'done' }));
  });

  it('succeeds by a success in its last step', () => {
    given(...RUNNING.lastStep)
      .when(command.SucceedTask({ noChange: true }))
      .then(finished, event('TaskSucceeded', { ...succeeded.data, noChange: true }));
  });

  it('does not succeed while steps are left', () => {
    given(...RUNNING.firstStep)
      .when(command.SucceedTask())
      .thenRejected({ code: 'STEP_OUT_OF_ORDER', step: 'store', expected: 'fetch' });
  });

  it('has its steps in order', () => {
    given(...RUNNING.firstStep)
      .when(command.CompleteStep({ step: 'paint' }))
      .thenRejected({ code: 'STEP_UNKNOWN', step: 'paint', steps: STEPS });
    given(...RUNNING.firstStep)
      .when(command.CompleteStep({ step: 'store' }))
      .thenRejected({ code: 'STEP_OUT_OF_ORDER', step: 'store', expected: 'fetch' });
    given(enqueued, claimed)
      .when(command.CompleteStep())
      .thenRejected({ code: 'STEP_UNKNOWN', step: 'fetch', steps: [] });
  });

  it('fails if another task waits for its key when it is offered', () => {
    const { decision, and } = given(...RUNNING.firstStep).when(
      command.CompleteStep({ then: 'offer', conflictingTaskId: OTHER_TASK }),
    );
    expect(decision).toMatchObject({
      events: [fetched('offer'), { type: 'TaskFailed', data: { conflictingTaskId: OTHER_TASK, final: false } }],
    });
    expect(and().state()).toMatchObject({ task: { nextStep: 'check' } });
  });

  it('carries out the request to cancel it when it is offered', () => {
    const { and } = given(...RUNNING.firstStep)
      .when(command.CancelTask())
      .and()
      .when(command.CompleteStep({ then: 'offer' }));
    expect(and().state()).toMatchObject({ status: 'cancelled', task: { nextStep: 'check' } });
  });
});

describe('a completed step that is reported again', () => {
  it.each(['continue', 'offer'] as const)('under the same token is already done: %s', (then) => {
    given(...RUNNING.firstStep, fetched(then))
      .when(command.CompleteStep({ then }))
      .thenNothing();
  });

  it('under the same token is already done after it finished the task', () => {
    given(...RUNNING.lastStep, finished, succeeded)
      .when(command.CompleteStep({ step: 'store' }))
      .thenNothing();
  });

  it('by the next worker is refused as out of order', () => {
    const next = event('TaskClaimed', { ...claimed.data, token: '8', attempt: 2, step: 'check' });
    given(...RUNNING.firstStep, fetched('offer'), next)
      .when(command.CompleteStep({ token: '8' }))
      .thenRejected({ code: 'STEP_OUT_OF_ORDER', step: 'fetch', expected: 'check' });
  });

  it('by the worker after a lost one is refused as out of order', () => {
    const next = event('TaskClaimed', { ...claimed.data, token: '8', attempt: 2, step: 'check' });
    given(...RUNNING.firstStep, fetched('continue'), event('TaskLeaseExpired', END), next)
      .when(command.CompleteStep({ token: '8' }))
      .thenRejected({ code: 'STEP_OUT_OF_ORDER', step: 'fetch', expected: 'check' });
  });

  it('has lost the lease if the claim was lost after the step, so its worker must stop', () => {
    given(...RUNNING.firstStep, fetched('continue'), event('TaskLeaseExpired', END))
      .when(command.CompleteStep())
      .thenRejected({ code: 'LEASE_LOST', state: 'pending', attempt: 1, heldBy: null });
  });

  it('with another step of an offered task has lost the lease', () => {
    const { decision } = given(...RUNNING.firstStep, fetched('offer')).when(command.CompleteStep({ step: 'check' }));
    expect(decision).toHaveProperty('rejection.code', 'LEASE_LOST');
  });
});

describe('the retry of a task with steps', () => {
  const history = [...RUNNING.firstStep, fetched('continue'), attemptFailed, failed()] as const;
  const retried = { queue: 'ingest', from: 'failed', by: 'olga' } as const;

  it('continues after the last successful step (S2-50)', () => {
    const retry = given(...history).when(command.RetryTask());
    retry.then(event('TaskRetried', retried));
    expect(retry.and().state()).toMatchObject({ task: { nextStep: 'check', lastSuccessfulStep: 'fetch' } });
  });

  it('may name the step at which to continue', () => {
    given(...history)
      .when(command.RetryTask({ step: 'check', override: true }))
      .then(event('TaskRetried', { ...retried, step: 'check' }));
  });

  it('may go to another step only by override, which is recorded', () => {
    given(...history)
      .when(command.RetryTask({ step: 'fetch' }))
      .thenRejected({ code: 'RETRY_STEP_NEEDS_OVERRIDE', step: 'fetch', implied: 'check' });
    const retry = given(...history).when(command.RetryTask({ step: 'fetch', override: true }));
    retry.then(event('TaskRetried', { ...retried, step: 'fetch', override: true }));
    expect(retry.and().state()).toMatchObject({ task: { nextStep: 'fetch', lastSuccessfulStep: 'fetch' } });
  });

  it('may repeat a step that it was sent back to, under a new claim', () => {
    const again = event('TaskClaimed', { ...claimed.data, token: '8', attempt: 2, step: 'fetch' });
    given(...history, event('TaskRetried', { ...retried, step: 'fetch', override: true }), again)
      .when(command.CompleteStep({ token: '8' }))
      .then(event('TaskStepCompleted', { ...fetched('continue').data, token: '8', attempt: 2 }));
  });

  it('begins at no step that the policy closes to retries, named or not, unless the task has not begun', () => {
    const closed = (name: string) => ({
      ...POLICY.fail,
      steps: [...STEPS.filter((one) => one !== name), { name, resumable: false }],
    });
    const refusal = { code: 'STEP_NOT_RESUMABLE', step: 'check' } as const;
    const policy = closed('check');
    given(...history)
      .when(command.RetryTask({ policy }))
      .thenRejected(refusal);
    given(...history)
      .when(command.RetryTask({ policy, step: 'check' }))
      .thenRejected(refusal);
    given(...history)
      .when(command.RetryTask({ policy: closed('store') }))
      .then(event('TaskRetried', retried));
    given(withSteps, cancelled())
      .when(command.RetryTask({ policy: closed('fetch') }))
      .then(event('TaskRetried', { ...retried, from: 'cancelled' }));
  });

  it('is refused for an unknown step', () => {
    given(...history)
      .when(command.RetryTask({ step: 'paint', override: true }))
      .thenRejected({ code: 'STEP_UNKNOWN', step: 'paint', steps: STEPS });
  });
});
