import { describe, expect, it } from '@jest/globals';
import { fold } from '../../../src/domain/kernel/decider.js';
import { runLimits, runUntil } from '../../../src/domain/task/run-limits.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import type { TaskEvent } from '../../../src/domain/task/task.events.js';
import {
  CLAIMED_AT,
  claimed,
  claimedStep,
  command,
  enqueued,
  event,
  LIMITED,
  POLICY,
  SUBMISSION,
  TOKEN,
  withSteps,
} from './examples.js';

const at = (seconds: number): string => new Date(Date.parse(CLAIMED_AT) + seconds * 1_000).toISOString();

const LIMITS = { maxRunMs: 10_000, steps: ['fetch', { name: 'check', maxRunMs: 3_000 }, 'store'] };

function decided(history: readonly TaskEvent[], given: Parameters<typeof taskDecider.decide>[0]): readonly TaskEvent[] {
  const decision = taskDecider.decide(given, fold(taskDecider, history));
  return decision.kind === 'accepted' ? decision.events : [];
}

describe('the longest end of a run', () => {
  it('is that of the queue, counted from the claim', () => {
    const [claim] = decided([enqueued], command.ClaimTask({ limits: LIMITS }));
    expect(claim).toMatchObject({ type: 'TaskClaimed', data: { runUntil: at(10) } });
  });

  it('is absent without a limit, and for what is claimed for a job', () => {
    const [plain] = decided([enqueued], command.ClaimTask());
    const [item] = decided([enqueued], command.ClaimTask({ limits: LIMITS, job: 'a-job' }));
    for (const claim of [plain, item]) expect(claim!.data).not.toHaveProperty('runUntil');
    expect(runLimits({ maxRunMs: null, steps: ['fetch', { name: 'check', maxRunMs: null }] })).toEqual({});
  });

  it('is that of a step, counted from its beginning, if that is earlier', () => {
    const run = (step: string, now: string) => runUntil(LIMITS, { claimedAt: CLAIMED_AT, step, now });
    expect(run('fetch', at(2))).toEqual({ runUntil: at(10) });
    expect(run('check', at(2))).toEqual({ runUntil: at(5) });
    expect(run('check', at(8))).toEqual({ runUntil: at(10) });
  });

  it('changes with the step that the same claim goes on with', () => {
    const first = [withSteps, claimedStep];
    const toCheck = decided(first, command.CompleteStep({ now: at(2), limits: LIMITS }));
    expect(toCheck[0]).toMatchObject({ type: 'TaskStepCompleted', data: { next: 'check', runUntil: at(5) } });
    expect(fold(taskDecider, [...first, ...toCheck])).toHaveProperty('lease.runUntil', at(5));
    const toStore = command.CompleteStep({ step: 'check', now: at(4), limits: { ...LIMITS, maxRunMs: null } });
    const stored = decided([...first, ...toCheck], toStore);
    expect(stored[0]!.data).not.toHaveProperty('runUntil');
    expect(fold(taskDecider, [...first, ...toCheck, ...stored])).not.toHaveProperty('lease.runUntil');
  });
});

describe('an attempt that takes too long', () => {
  const running = [enqueued, event('TaskClaimed', { ...claimed.data, runUntil: at(2) })];
  const timeOut = command.TimeOutRun({ policy: POLICY.retry });

  it('counts as failed, with a class of its own, and is tried again if the policy says so', () => {
    const events = decided(running, timeOut);
    expect(events.map(({ type }) => type)).toEqual(['TaskAttemptFailed', 'TaskRetryScheduled']);
    expect(events[0]).toMatchObject({
      data: {
        error: {
          class: 'timeout',
          message: `Expected worker 'w1' to end attempt 1 by ${at(2)}, but it still ran then`,
        },
        ranMs: 2_500,
      },
    });
    expect(fold(taskDecider, [...running, ...events])).toMatchObject({ task: { failures: 1 } });
  });

  it('fails for good if the policy does not retry its class', () => {
    const retry = { ...POLICY.retry.retry, classes: ['transient' as const] };
    const events = decided(running, command.TimeOutRun({ policy: { ...POLICY.retry, retry } }));
    expect(events.at(-1)).toMatchObject({ type: 'TaskFailed', data: { error: { class: 'timeout' } } });
  });

  it("refuses its worker's later reports, also the same one twice", () => {
    const after = fold(taskDecider, [...running, ...decided(running, timeOut)]);
    for (const late of [command.SucceedTask(), command.FailTask(), command.ReturnTask()])
      expect(taskDecider.decide(late, after)).toMatchObject({ kind: 'rejected', rejection: { code: 'LEASE_LOST' } });
    expect(taskDecider.decide(timeOut, after)).toEqual({ kind: 'alreadyDone' });
  });

  it('is left alone if its claim has no longest end', () => {
    expect(taskDecider.decide(timeOut, fold(taskDecider, [enqueued, claimed]))).toEqual({ kind: 'alreadyDone' });
  });

  it('ends as whoever asked it to stop wants, if somebody did', () => {
    const asked = event('TaskCancelRequested', { ...claimed.data, by: 'olga', then: 'cancelled' });
    expect(decided([...running, asked], timeOut).at(-1)).toMatchObject({ type: 'TaskFailed' });
  });
});

describe('a task that waits too long', () => {
  it('fails, with a class of its own, and frees its key', () => {
    expect(decided(LIMITED.pending, command.ExpireTask())).toEqual([
      event('TaskFailed', {
        error: {
          message: `Expected a worker to claim the task before ${at(1)}, but none did`,
          class: 'expired',
        },
        final: false,
        decidedBy: 'policy',
        exhausted: true,
        queue: 'ingest',
        from: 'pending',
        key: 'a.txt',
      }),
    ]);
  });

  it('does not fail while it runs, or without such a time', () => {
    for (const history of [LIMITED.running, [enqueued]]) expect(decided(history, command.ExpireTask())).toEqual([]);
  });

  it('waits without such a time once a person retries it', () => {
    const expired = [...LIMITED.pending, ...decided(LIMITED.pending, command.ExpireTask())];
    const retried = [...expired, ...decided(expired, command.RetryTask())];
    expect(fold(taskDecider, retried)).toMatchObject({ status: 'pending', task: { expiresAt: null } });
    expect(decided(retried, command.ExpireTask())).toEqual([]);
  });

  it('is the same submission again, although its time to live would end later', () => {
    const again = command.EnqueueTask({ submission: { ...SUBMISSION, ttlMs: 1_000, expiresAt: at(9) } });
    const first = event('TaskEnqueued', { ...SUBMISSION, ttlMs: 1_000, expiresAt: at(1) });
    expect(taskDecider.decide(again, fold(taskDecider, [first])).kind).toBe('alreadyDone');
    const other = command.EnqueueTask({ submission: { ...SUBMISSION, expiresAt: at(9) } });
    expect(taskDecider.decide(other, fold(taskDecider, [first])).kind).toBe('rejected');
  });
});

describe('a missed deadline', () => {
  it('is recorded once, in every open state', () => {
    for (const history of Object.values(LIMITED)) {
      const missed = decided(history, command.MissDeadline());
      expect(missed).toEqual([event('TaskDeadlineMissed', { queue: 'ingest', deadlineAt: at(2) })]);
      expect(decided([...history, ...missed], command.MissDeadline())).toEqual([]);
    }
  });

  it('leaves the claim as it is', () => {
    const missed = decided(LIMITED.running, command.MissDeadline());
    expect(fold(taskDecider, [...LIMITED.running, ...missed])).toMatchObject({
      status: 'running',
      lease: { token: TOKEN },
    });
  });
});
