import { describe, expect, it } from '@jest/globals';
import { fold } from '../../../src/domain/kernel/decider.js';
import { DEFAULT_POLICY } from '../../../src/domain/queue/queue.policy.js';
import { mayRunAgain, rerunOf } from '../../../src/domain/task/rerun.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import type { Rerun, TaskEvent } from '../../../src/domain/task/task.events.js';
import { leanTask, type FailedTask } from '../../../src/domain/task/task.state.js';
import { specFor } from '../../support/decider-spec.js';
import {
  attemptFailed,
  claimedStep,
  command,
  END,
  event,
  failed,
  OTHER_TASK,
  succeeded,
  withSteps,
} from './examples.js';

const given = specFor(taskDecider);
const HALF: Rerun = { task: OTHER_TASK, step: 'store', lastStep: 'check', data: { file: 'a.tif' } };
const copy = event('TaskEnqueued', { ...withSteps.data, rerunOf: HALF });
const claimedCopy = event('TaskClaimed', { ...claimedStep.data, step: 'store' });
const fetched = event('TaskStepCompleted', {
  ...END,
  step: 'fetch',
  next: 'check',
  then: 'continue',
  data: { file: 'a.tif' },
});

const failedTask = (...events: readonly TaskEvent[]): FailedTask => fold(taskDecider, events) as FailedTask;

describe('a copy of a failed task', () => {
  it('begins at the step at which its original stopped, with its data', () => {
    given(copy).when(command.ClaimTask()).then(claimedCopy);
    expect(given(copy).state()).toMatchObject({
      task: { nextStep: 'store', entered: false, lastSuccessfulStep: 'check', data: HALF.data },
    });
  });

  it('says in its success which task it ran again, also if its state is kept without payloads', () => {
    const done = event('TaskSucceeded', { ...succeeded.data, rerunOf: OTHER_TASK });
    const finished = event('TaskStepCompleted', { ...END, step: 'store', then: 'finish' });
    given(copy, claimedCopy).when(command.SucceedTask()).then(finished, done);
    const { data: _none, ...withoutData } = HALF;
    const lean = event('TaskEnqueued', { ...withSteps.data, rerunOf: withoutData });
    const state = leanTask(fold(taskDecider, [lean, claimedCopy] as readonly TaskEvent[]));
    expect(taskDecider.decide(command.SucceedTask(), state!)).toMatchObject({ events: [finished, done] });
  });

  it('says so as well if an administrator lets it succeed, and not if it fails', () => {
    const overruled = (verdict: 'succeed' | 'fail') =>
      given(copy, claimedCopy).when(command.OverruleTask({ verdict })).decision;
    expect(overruled('succeed')).toMatchObject({ events: [{ type: 'TaskOverruled', data: { rerunOf: OTHER_TASK } }] });
    expect(JSON.stringify(overruled('fail'))).not.toContain('rerunOf');
  });

  it('says so if another success supersedes it', () => {
    const lost = [copy, claimedCopy, attemptFailed, failed()] as const;
    expect(given(...lost).when(command.SupersedeTask()).decision).toMatchObject({
      events: [{ type: 'TaskSuperseded', data: { rerunOf: OTHER_TASK } }],
    });
  });

  it('is recognised if it is made again, whatever its original has become', () => {
    const changed = { ...copy.data, priority: 7, payload: [1], rerunOf: { task: OTHER_TASK } };
    given(copy)
      .when(command.EnqueueTask({ submission: changed }))
      .thenNothing();
    const other = { ...copy.data, rerunOf: { ...HALF, task: 'another' } };
    given(copy)
      .when(command.EnqueueTask({ submission: other }))
      .thenRejected({ code: 'TASK_EXISTS' });
    given(copy)
      .when(command.EnqueueTask({ submission: withSteps.data }))
      .thenRejected({ code: 'TASK_EXISTS' });
  });
});

describe('what a copy begins with', () => {
  it('is the step that failed, the last one that succeeded, and the data', () => {
    const original = failedTask(withSteps, claimedStep, fetched, attemptFailed, failed());
    expect(rerunOf('t', original, DEFAULT_POLICY)).toEqual({
      task: 't',
      step: 'check',
      lastStep: 'fetch',
      data: { file: 'a.tif' },
    });
  });

  it('is the first step, and the data, if nobody may begin at the one that failed', () => {
    const original = failedTask(withSteps, claimedStep, fetched, attemptFailed, failed());
    const policy = { ...DEFAULT_POLICY, steps: ['fetch', { name: 'check', resumable: false }, 'store'] as never };
    expect(rerunOf('t', original, policy)).toEqual({ task: 't', data: { file: 'a.tif' } });
  });

  it('is nothing for a task that never began', () => {
    const original = failedTask(withSteps, failed());
    expect(rerunOf('t', original, DEFAULT_POLICY)).toEqual({ task: 't' });
  });
});

it('only failures that a retry could mend are run again', () => {
  const final = event('TaskFailed', { ...failed().data, final: true });
  expect(mayRunAgain(failedTask(withSteps, claimedStep, attemptFailed, failed()))).toBe(true);
  expect(mayRunAgain(failedTask(withSteps, claimedStep, attemptFailed, final))).toBe(false);
  expect(mayRunAgain(fold(taskDecider, [withSteps] as readonly TaskEvent[]))).toBe(false);
});
