import { describe, expect, it } from '@jest/globals';
import { fold } from '../../../src/domain/kernel/decider.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import type { KnownTask } from '../../../src/domain/task/task.state.js';
import { endOfWait } from '../../../src/domain/task/wait-state.js';
import { MOST_SIGNALS } from '../../../src/domain/task/waits.js';
import { specFor } from '../../support/decider-spec.js';
import {
  ATTEMPT,
  attemptFailed,
  claimed,
  claimedStep,
  command,
  END,
  enqueued,
  event,
  failed,
  heldWhile,
  type History,
  NOW,
  requested,
  signalled,
  TOKEN,
  waited,
  withSteps,
} from './examples.js';

const given = specFor(taskDecider);
const APPROVED = { signal: 'approved', number: 1 };
const LATER = '2026-03-01T10:05:00.000Z';

const claimedAgain = event('TaskClaimed', { ...claimed.data, token: '8', claimId: 'claim-2', claimedAt: LATER });
const again = { token: '8', now: LATER };
const AGAIN = { ...ATTEMPT, token: '8' };
const dueNow = event('TaskRescheduled', { queue: 'ingest', dueAt: null, previous: waited.data.dueAt });
const bySignal = event('TaskWaitEnded', { ...APPROVED, by: 'signal', ...AGAIN });
const byTime = event('TaskWaitEnded', { ...APPROVED, by: 'time', ...AGAIN });
const retried = event('TaskRetried', { queue: 'ingest', from: 'failed', by: 'olga' });

const endAfter = (history: History, name = APPROVED) =>
  endOfWait((fold(taskDecider, history) as KnownTask).task.waits, name);

describe('a handler that waits for a signal', () => {
  it('ends its attempt, which does not count, until the time is over', () => {
    given(enqueued, claimed).when(command.WaitTask()).then(waited);
    expect(fold(taskDecider, [enqueued, claimed, waited])).toMatchObject({
      status: 'pending',
      task: { attempt: 0, failures: 0, lost: 0, dueAt: waited.data.dueAt },
    });
  });

  it('is due at once when the signal comes, and learns it then', () => {
    given(enqueued, claimed, waited).when(command.SignalTask()).then(signalled, dueNow);
    given(enqueued, claimed, waited, signalled, dueNow, claimedAgain).when(command.WaitTask(again)).then(bySignal);
    const history = [enqueued, claimed, waited, signalled, dueNow, claimedAgain, bySignal];
    expect(endAfter(history)).toEqual({ by: 'signal', data: { limit: 500 } });
  });

  it('goes on at once if the signal came first', () => {
    given(enqueued, signalled, claimed)
      .when(command.WaitTask())
      .then(event('TaskWaitEnded', { ...bySignal.data, token: TOKEN }));
  });

  it('learns the same whenever it runs again', () => {
    given(enqueued, claimed, signalled, bySignal, signalled).when(command.WaitTask()).thenNothing();
  });

  it('is told that the time is over, by the time that it first asked for', () => {
    given(enqueued, claimed, waited, claimedAgain).when(command.WaitTask(again)).then(byTime);
    given(enqueued, claimed, waited, dueNow, claimedAgain)
      .when(command.WaitTask({ ...again, now: NOW, timeoutMs: 1 }))
      .then(byTime);
  });

  it('waits on for the rest of its time if somebody lets it run earlier', () => {
    const early = event('TaskClaimed', { ...claimedAgain.data, claimedAt: NOW });
    given(enqueued, claimed, waited, dueNow, early)
      .when(command.WaitTask({ ...again, now: NOW, timeoutMs: 9_000_000 }))
      .then(event('TaskWaited', { ...waited.data, token: '8', ranMs: 0 }));
  });

  it('keeps what it learnt, whatever comes later', () => {
    const late = [enqueued, claimed, waited, claimedAgain, byTime, signalled];
    given(...late)
      .when(command.WaitTask(again))
      .thenNothing();
    expect(endAfter(late)).toEqual({ by: 'time' });
    given(...late)
      .when(command.WaitTask({ ...again, number: 2 }))
      .then(event('TaskWaitEnded', { ...bySignal.data, number: 2 }));
  });

  it('gets each signal once, the first one first', () => {
    const second = event('TaskSignalled', { ...signalled.data, data: 'second' });
    const history = [enqueued, claimed, signalled, second, bySignal];
    expect(endAfter(history)).toEqual({ by: 'signal', data: { limit: 500 } });
    const next = event('TaskWaitEnded', { ...bySignal.data, number: 2 });
    expect(endAfter([...history, next], { ...APPROVED, number: 2 })).toEqual({ by: 'signal', data: 'second' });
  });

  it('is held or cancelled instead if somebody asked for that', () => {
    given(enqueued, claimed, requested('held'))
      .when(command.WaitTask())
      .then(waited, event('TaskHeld', { queue: 'ingest', from: 'running', heldBy: { by: 'olga', reason: 'deploy' } }));
  });

  it('is due when it is released if its signal came while it was held', () => {
    given(enqueued, claimed, waited, heldWhile('pending')).when(command.SignalTask()).then(signalled, dueNow);
  });

  it('is not woken by another signal', () => {
    given(enqueued, claimed, waited)
      .when(command.SignalTask({ signal: 'paid', data: null }))
      .then(event('TaskSignalled', { queue: 'ingest', signal: 'paid', data: null }));
  });
});

it('a handler that waits for a time alone goes on after it', () => {
  const slept = event('TaskWaited', { ...END, number: 1, dueAt: waited.data.dueAt });
  given(enqueued, claimed)
    .when(command.WaitTask({ signal: undefined }))
    .then(slept);
  given(enqueued, claimed, slept, claimedAgain)
    .when(command.WaitTask({ ...again, signal: undefined }))
    .then(event('TaskWaitEnded', { number: 1, by: 'time', ...AGAIN }));
});

describe('the waits of a task', () => {
  it('begin anew with the next step, which gets the signals that nobody has read', () => {
    const completed = event('TaskStepCompleted', { ...END, step: 'fetch', next: 'check', then: 'continue' });
    const history = [withSteps, claimedStep, signalled, bySignal, signalled, completed];
    expect(endAfter(history)).toBeNull();
    given(...history)
      .when(command.WaitTask())
      .then(event('TaskWaitEnded', { ...bySignal.data, token: TOKEN }));
  });

  it('have their whole time again after a retry of a person, and keep their signals', () => {
    const over = [enqueued, claimed, waited, claimedAgain, byTime, attemptFailed, failed({ final: true }), retried];
    expect(endAfter(over)).toBeNull();
    const signalledBefore = [enqueued, claimed, signalled, bySignal, attemptFailed, failed(), retried];
    expect(endAfter(signalledBefore)).toEqual({ by: 'signal', data: { limit: 500 } });
  });
});

it('refuses more signals than a handler can be behind with', () => {
  const many = Array.from({ length: MOST_SIGNALS }, () => signalled);
  given(enqueued, ...many)
    .when(command.SignalTask())
    .thenRejected({ code: 'SIGNALS_FULL', signals: MOST_SIGNALS, bytes: MOST_SIGNALS * 13 });
});
