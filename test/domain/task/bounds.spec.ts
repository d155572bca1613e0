import { describe, expect, it } from '@jest/globals';
import { MOST_EVENTS, MOST_REPORTED_BYTES } from '../../../src/domain/task/bounds.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import { leanTask } from '../../../src/domain/task/task.state.js';
import { specFor } from '../../support/decider-spec.js';
import { ATTEMPT, claimed, claimedStep, command, enqueued, ERROR, event, returned, withSteps } from './examples.js';

const given = specFor(taskDecider);
const FULL = { bounds: { excess: null, events: MOST_EVENTS } };
const ROOM = { bounds: { excess: null, events: MOST_EVENTS - 1 } };
const LARGE = event('TaskErrorReported', { ...ATTEMPT, error: { ...ERROR, message: 'x'.repeat(MOST_REPORTED_BYTES) } });

describe('a history', () => {
  it.each([
    ['a reported error', command.ReportError(FULL)],
    ['a return', command.ReturnTask(FULL)],
  ])('of 1,000 events takes no more of %s', (_, full) => {
    given(enqueued, claimed).when(full).thenRejected({ code: 'HISTORY_FULL', events: MOST_EVENTS, bytes: 0 });
  });

  it('of 1,000 events takes no further step that is not the last', () => {
    given(withSteps, claimedStep)
      .when(command.CompleteStep({ step: 'fetch', ...FULL }))
      .thenRejected({ code: 'HISTORY_FULL', events: MOST_EVENTS, bytes: 0 });
  });

  it('of 999 events takes one more', () => {
    expect(given(enqueued, claimed).when(command.ReportError(ROOM)).decision.kind).toBe('accepted');
    expect(given(enqueued, claimed).when(command.ReturnTask(ROOM)).decision.kind).toBe('accepted');
  });

  it('with 4 MiB of reports takes no more of them, also if it is cached', () => {
    const state = [enqueued, claimed, LARGE].reduce(taskDecider.evolve, taskDecider.initialState);
    const refusal = { kind: 'rejected', rejection: { code: 'HISTORY_FULL', events: MOST_EVENTS - 1 } };
    expect(taskDecider.decide(command.ReturnTask(ROOM), state)).toMatchObject(refusal);
    expect(taskDecider.decide(command.ReturnTask(ROOM), leanTask(state)!)).toMatchObject(refusal);
  });

  it.each([
    ['success', command.SucceedTask(FULL)],
    ['failure', command.FailTask(FULL)],
    ['cancellation', command.CancelTask()],
    ['abort', command.AbortTask()],
    ['expiry', command.ExpireLease()],
  ])('that is full still ends with a %s', (_, end) => {
    expect(given(enqueued, claimed, LARGE).when(end).decision.kind).toBe('accepted');
  });
});

describe('a report that is larger than the policy allows', () => {
  const bounds = { excess: { bytes: 11, limit: 10 }, events: 2 };

  it('is refused', () => {
    given(enqueued, claimed)
      .when(command.SucceedTask({ bounds }))
      .thenRejected({ code: 'PAYLOAD_TOO_LARGE', bytes: 11, limit: 10 });
  });

  it('under a claim that is over is refused for that', () => {
    const { decision } = given(enqueued, claimed, returned).when(command.SucceedTask({ bounds }));
    expect(decision).toHaveProperty('rejection.code', 'LEASE_LOST');
  });
});
