import { describe, expect, it } from '@jest/globals';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import { specFor } from '../../support/decider-spec.js';
import {
  cancelled,
  claimed,
  command,
  END,
  enqueued,
  ERROR,
  event,
  failed,
  attemptFailed,
  undecided,
  held,
  HISTORIES,
  HOLD,
  OTHER_TASK,
  prepared,
} from './examples.js';

const given = specFor(taskDecider);
const FAILED = [enqueued, claimed, attemptFailed, failed()] as const;
const retried = { queue: 'ingest', by: 'olga' } as const;

describe('footnote 2: a held task', () => {
  it('is held from its submission on, and names who placed the hold', () => {
    given()
      .when(command.EnqueueTask({ heldBy: HOLD }))
      .then(held);
    expect(given(held).state()).toMatchObject({ status: 'held', heldBy: HOLD });
  });

  it('is held when it is submitted or retried', () => {
    given(prepared)
      .when(command.SubmitTask({ heldBy: HOLD }))
      .then(event('TaskSubmitted', { queue: 'ingest', heldBy: HOLD }));
    given(...FAILED)
      .when(command.RetryTask({ heldBy: HOLD }))
      .then(event('TaskRetried', { ...retried, from: 'failed', heldBy: HOLD }));
  });

  it('has no reason if none was given', () => {
    given(enqueued)
      .when(command.HoldTask({ reason: null }))
      .then(event('TaskHeld', { queue: 'ingest', from: 'pending', heldBy: { by: 'olga' } }));
  });

  it('waits once it is released', () => {
    given(held)
      .when(command.ReleaseTask())
      .then(event('TaskReleased', { queue: 'ingest', by: 'olga' }));
  });
});

describe('footnote 8: a retry', () => {
  it('is recorded with its origin, and restarts the counts of failures and losses', () => {
    const retry = given(...FAILED).when(command.RetryTask());
    retry.then(event('TaskRetried', { ...retried, from: 'failed' }));
    expect(retry.and().state()).toMatchObject({ status: 'pending', task: { attempt: 1, failures: 0, lost: 0 } });
  });

  it('resumes a cancelled task', () => {
    given(enqueued, cancelled())
      .when(command.RetryTask())
      .then(event('TaskRetried', { ...retried, from: 'cancelled' }));
  });

  it('is refused if the failure was final', () => {
    given(enqueued, claimed, attemptFailed, failed({ final: true }))
      .when(command.RetryTask())
      .thenRejected({ code: 'FAILURE_IS_FINAL' });
  });

  it('is refused if the submission was rejected', () => {
    given().when(command.RejectEnqueue()).and().when(command.RetryTask()).thenRejected({ code: 'FAILURE_IS_FINAL' });
  });
});

describe('a decision', () => {
  const history = HISTORIES.undecided[0]!;

  it('to retry lets the task wait again', () => {
    given(...history)
      .when(command.DecideRetry())
      .then(event('TaskRetried', { ...retried, from: 'undecided' }));
  });

  it('to fail is final, and records who decided (S1-29)', () => {
    given(...history)
      .when(command.DecideFail())
      .then(
        event('TaskFailed', {
          queue: 'ingest',
          from: 'undecided',
          key: 'a.txt',
          error: ERROR,
          final: true,
          decidedBy: 'olga',
          exhausted: true,
        }),
      );
  });
});

describe('footnote 10: an abort', () => {
  it('ends a running task at once, and names the worker that does not expect it', () => {
    given(enqueued, claimed)
      .when(command.AbortTask({ reason: 'wrong file' }))
      .then(event('TaskAborted', { queue: 'ingest', from: 'running', by: 'olga', reason: 'wrong file', worker: 'w1' }));
  });

  it('ends a waiting task', () => {
    given(enqueued)
      .when(command.AbortTask())
      .then(event('TaskAborted', { queue: 'ingest', from: 'pending', by: 'olga' }));
  });
});

describe('footnote 11: a deletion', () => {
  it('of a running task needs force, and is recorded as forced', () => {
    expect(given(enqueued, claimed).when(command.DeleteTask()).decision).toMatchObject({
      rejection: { code: 'ILLEGAL_TRANSITION', state: 'running' },
    });
    given(enqueued, claimed)
      .when(command.DeleteTask({ force: true }))
      .then(event('TaskDeleted', { queue: 'ingest', from: 'running', by: 'olga', forced: true, worker: 'w1' }));
  });

  it('of any other task needs no force, and records none', () => {
    given(enqueued)
      .when(command.DeleteTask({ force: true }))
      .then(event('TaskDeleted', { queue: 'ingest', from: 'pending', by: 'olga' }));
  });
});

describe("an administrator's overruling", () => {
  const overruled = (verdict: 'succeed' | 'fail' | 'requeue') =>
    event('TaskOverruled', { ...END, key: 'a.txt', verdict, by: 'olga', reason: 'checked by hand' });

  it.each(['succeed', 'fail', 'requeue'] as const)('%s ends the attempt', (verdict) => {
    given(enqueued, claimed).when(command.OverruleTask({ verdict })).then(overruled(verdict));
  });

  it.each(['succeed', 'fail'] as const)('to %s may carry a result', (verdict) => {
    const { data, ...plain } = overruled(verdict);
    given(enqueued, claimed)
      .when(command.OverruleTask({ verdict, result: { sent: 12 } }))
      .then({ ...plain, data: { ...data, result: { sent: 12 } } } as typeof plain & { data: typeof data });
  });

  it('to fail gives its reason as the error, and may be retried', () => {
    const { and } = given(enqueued, claimed).when(command.OverruleTask({ verdict: 'fail' }));
    expect(and().state()).toMatchObject({
      status: 'failed',
      error: { message: 'checked by hand', class: 'application' },
      final: false,
    });
  });

  it.each(['', '  \n'])('needs a reason: %j', (reason) => {
    given(enqueued, claimed).when(command.OverruleTask({ reason })).thenRejected({ code: 'REASON_REQUIRED' });
  });

  it.each(['succeed', 'fail'] as const)('to %s takes effect at once, whichever task waits for the key', (verdict) => {
    given(enqueued, claimed)
      .when(command.OverruleTask({ verdict, conflictingTaskId: OTHER_TASK }))
      .then(overruled(verdict));
  });

  it('to requeue fails the task if another one waits for its key', () => {
    const { decision, and } = given(enqueued, claimed).when(
      command.OverruleTask({ verdict: 'requeue', conflictingTaskId: OTHER_TASK }),
    );
    expect(decision).toMatchObject({
      events: [overruled('requeue'), { type: 'TaskFailed', data: { from: 'running', conflictingTaskId: OTHER_TASK } }],
    });
    expect(and().state().status).toBe('failed');
  });
});

describe('an amendment', () => {
  it('records the payload that it replaces', () => {
    given(enqueued)
      .when(command.ReprioritiseTask())
      .then(event('TaskReprioritised', { queue: 'ingest', priority: 9, previous: 0 }));
    given(enqueued)
      .when(command.RescheduleTask())
      .then(event('TaskRescheduled', { queue: 'ingest', dueAt: '2026-03-02T00:00:00.000Z', previous: null }));
    given(enqueued)
      .when(command.AmendPayload())
      .then(event('TaskPayloadAmended', { queue: 'ingest', payload: { file: 'b.txt' }, previous: { file: 'a.txt' } }));
  });

  it('of a payload brings the limits that change, a time to live from the due time of the task', () => {
    const due = event('TaskRescheduled', { queue: 'ingest', dueAt: '2026-03-02T00:00:00.000Z', previous: null });
    const amended = { queue: 'ingest', payload: { file: 'b.txt' }, previous: { file: 'a.txt' } };
    const [expiresAt, deadlineAt] = ['2026-03-02T00:01:00.000Z', '2026-03-03T00:00:00.000Z'];
    const { and, then } = given(enqueued, due).when(command.AmendPayload({ limits: { ttlMs: 60_000, deadlineAt } }));
    then(event('TaskPayloadAmended', { ...amended, expiresAt, deadlineAt }));
    expect(and().state()).toMatchObject({ task: { expiresAt, deadlineAt, deadlineMissed: false } });
    and()
      .when(command.AmendPayload({ payload: { file: 'b.txt' }, limits: { expiresAt, deadlineAt } }))
      .thenNothing();
    and().when(command.AmendPayload()).thenNothing();
  });

  it('without an effect is already done', () => {
    given(enqueued)
      .when(command.ReprioritiseTask({ priority: 0 }))
      .thenNothing();
    given(enqueued)
      .when(command.RescheduleTask({ dueAt: null }))
      .thenNothing();
    given(enqueued)
      .when(command.AmendPayload({ payload: { file: 'a.txt' } }))
      .thenNothing();
  });

  it('keeps the status and everything else', () => {
    const { and } = given(...HISTORIES.undecided[0]!).when(command.ReprioritiseTask());
    expect(and().state()).toMatchObject({ status: 'undecided', error: ERROR, task: { priority: 9 } });
  });
});

describe('a supersession', () => {
  it.each([
    ['failed', FAILED],
    ['undecided', [enqueued, claimed, attemptFailed, undecided]],
  ] as const)('removes a task that has %s, and names the success', (from, history) => {
    given(...history)
      .when(command.SupersedeTask())
      .then(event('TaskSuperseded', { queue: 'ingest', from, bySuccessOf: OTHER_TASK }));
  });
});
