import { describe, expect, it } from '@jest/globals';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import { specFor } from '../../support/decider-spec.js';
import { SETTLED } from './cases.js';
import {
  ATTEMPT,
  cancelConfirmed,
  claimed,
  CLAIMED_AT,
  command,
  END,
  enqueued,
  ERROR,
  event,
  FOREIGN_TOKEN,
  returned,
  leaseExpired,
  OTHER_TASK,
  RUNNING,
  SUBMISSION,
  succeeded,
  TOKEN,
} from './examples.js';

const given = specFor(taskDecider);

const KEY_TAKEN = {
  message: `Expected the task to wait again after attempt 1, but task '${OTHER_TASK}' already waits for its key 'a.txt'`,
  class: 'transient',
} as const;
const displacedWith = (error: typeof ERROR) =>
  event('TaskFailed', {
    queue: 'ingest',
    from: 'running',
    key: 'a.txt',
    error,
    final: false,
    decidedBy: 'policy',
    ranMs: END.ranMs,
    conflictingTaskId: OTHER_TASK,
  });

describe('a plain life', () => {
  it('is enqueued, claimed and succeeded', () => {
    given()
      .when(command.EnqueueTask())
      .and()
      .when(command.ClaimTask())
      .and()
      .when(command.SucceedTask({ result: { rows: 3 } }))
      .then(event('TaskSucceeded', { ...END, key: 'a.txt', result: { rows: 3 } }));
  });

  it('a claim records who, where, when and how long the task waited', () => {
    given(enqueued).when(command.ClaimTask()).then(claimed);
  });

  it('a success without a change records that (S0-14)', () => {
    given(enqueued, claimed)
      .when(command.SucceedTask({ noChange: true }))
      .then(event('TaskSucceeded', { ...END, key: 'a.txt', noChange: true }));
  });

  it('a success without key, result or news stores none of them', () => {
    const keyless = event('TaskEnqueued', { queue: 'ingest', kind: 'import' });
    given(keyless, claimed).when(command.SucceedTask()).then(event('TaskSucceeded', END));
  });

  it('a clock that was set back does not make a duration negative', () => {
    given(enqueued, claimed)
      .when(command.SucceedTask({ now: '2026-03-01T09:59:59.000Z' }))
      .then(event('TaskSucceeded', { ...END, ranMs: 0, key: 'a.txt' }));
  });

  it('the lease exists exactly while the task runs', () => {
    expect(given(enqueued, claimed).state()).toHaveProperty('lease', {
      token: TOKEN,
      claimId: 'claim-1',
      worker: 'w1',
      server: 's1',
      claimedAt: CLAIMED_AT,
    });
    expect(given(enqueued, claimed, succeeded).state()).not.toHaveProperty('lease');
  });
});

describe('footnote 4: a claim', () => {
  it('repeated by its worker is already done', () => {
    given(enqueued, claimed)
      .when(command.ClaimTask({ token: '8' }))
      .thenNothing();
  });

  it.each([{ claimId: 'claim-2' }, { worker: 'w2' }])('with %o is another claim, and refused', (changes) => {
    given(enqueued, claimed)
      .when(command.ClaimTask(changes))
      .thenRejected({ code: 'TASK_ALREADY_CLAIMED', by: 'w1', attempt: 1 });
  });
});

describe("footnote 6: a repeated report of an attempt's end", () => {
  const repeats = [
    ['succeed', [enqueued, claimed, succeeded], command.SucceedTask()],
    ['fail, when retried', SETTLED.retried!, command.FailTask()],
    ['fail, when undecided', SETTLED.undecided!, command.FailTask()],
    ['fail, when failed', SETTLED.failed!, command.FailTask()],
    ['return', SETTLED.returned!, command.ReturnTask()],
    ['confirm cancel, when cancelled', SETTLED.cancelled!, command.ConfirmCancel()],
    ['confirm cancel, when held', SETTLED.held!, command.ConfirmCancel()],
  ] as const;

  it.each(repeats)('%s is already done under its token', (_, history, repeat) => {
    given(...history)
      .when(repeat)
      .thenNothing();
  });

  it.each(repeats)('%s has lost the lease under another token', (_, history, repeat) => {
    const { decision } = given(...history).when({ ...repeat, token: FOREIGN_TOKEN });
    expect(decision).toHaveProperty('rejection.code', 'LEASE_LOST');
  });

  it('is no repetition if the attempt ended otherwise', () => {
    given(...SETTLED.failed!)
      .when(command.SucceedTask())
      .thenRejected({ code: 'LEASE_LOST', state: 'failed', attempt: 1, heldBy: null });
  });

  it('is recognised whatever happened to the task since, even while another worker runs it', () => {
    const again = event('TaskClaimed', { ...claimed.data, attempt: 2, token: '8', worker: 'w2', claimId: 'claim-2' });
    const history = [...SETTLED.retried!, again];
    given(...history)
      .when(command.FailTask())
      .thenNothing();
    given(...history)
      .when(command.SucceedTask())
      .thenRejected({ code: 'LEASE_LOST', state: 'running', attempt: 2, heldBy: 'w2' });
  });
});

describe('a token that is not the current claim', () => {
  it("is refused as lost, with the current worker's name", () => {
    given(enqueued, claimed)
      .when(command.SucceedTask({ token: FOREIGN_TOKEN }))
      .thenRejected({ code: 'LEASE_LOST', state: 'running', attempt: 1, heldBy: 'w1' });
  });

  it('has lost its lease after it expired', () => {
    given(enqueued, claimed, leaseExpired)
      .when(command.SucceedTask())
      .thenRejected({ code: 'LEASE_LOST', state: 'pending', attempt: 1, heldBy: null });
  });

  it('has lost its lease even if the only claim was returned', () => {
    given(enqueued, claimed, returned)
      .when(command.SucceedTask())
      .thenRejected({ code: 'LEASE_LOST', state: 'pending', attempt: 0, heldBy: null });
  });

  it('is illegal on a task that was never claimed', () => {
    const { decision } = given(enqueued).when(command.SucceedTask());
    expect(decision).toMatchObject({
      rejection: { code: 'ILLEGAL_TRANSITION', command: 'SucceedTask', state: 'pending' },
    });
  });

  it('does not expire anything', () => {
    given(enqueued, claimed)
      .when(command.ExpireLease({ token: FOREIGN_TOKEN }))
      .thenRejected({ code: 'LEASE_LOST', state: 'running', attempt: 1, heldBy: 'w1' });
  });

  it.each(['AbortTask', 'DeleteTask', 'OverruleTask'] as const)('is a late report after %s', (type) => {
    const ended = given(enqueued, claimed).when(
      type === 'DeleteTask' ? command.DeleteTask({ force: true }) : command[type](),
    );
    expect(ended.decision.kind).toBe('accepted');
    expect(ended.and().when(command.SucceedTask()).decision).toHaveProperty('rejection.code', 'LEASE_LOST');
  });
});

describe('an error that is reported', () => {
  it('is recorded while the attempt continues, and does not decide the outcome (S0-43)', () => {
    given(enqueued, claimed)
      .when(command.ReportError())
      .then(event('TaskErrorReported', { ...ATTEMPT, error: ERROR }));
    given(...RUNNING.reported)
      .when(command.SucceedTask())
      .then(succeeded);
  });

  it('is recorded once; a different one is recorded too', () => {
    given(...RUNNING.reported)
      .when(command.ReportError())
      .thenNothing();
    const other = { ...ERROR, message: 'still no route' };
    given(...RUNNING.reported)
      .when(command.ReportError({ error: other }))
      .then(event('TaskErrorReported', { ...ATTEMPT, error: other }));
  });
});

describe('a returned task', () => {
  it('waits again, without a spent attempt', () => {
    const { and } = given(enqueued, claimed).when(command.ReturnTask());
    expect(and().state()).toMatchObject({ status: 'pending', task: { attempt: 0, failures: 0, lost: 0 } });
    and()
      .when(command.ClaimTask({ token: '8' }))
      .then(event('TaskClaimed', { ...claimed.data, token: '8' }));
  });

  it('is not offered before the time that its worker asks for', () => {
    const { then, and } = given(enqueued, claimed).when(command.ReturnTask({ afterMs: 90_000 }));
    const dueAt = new Date(Date.parse(command.ReturnTask().now) + 90_000).toISOString();
    then(returned, event('TaskRescheduled', { queue: 'ingest', dueAt, previous: null }));
    expect(and().state()).toMatchObject({ status: 'pending', task: { attempt: 0, failures: 0, dueAt } });
  });

  it('that is to stop does so at once, whatever time its worker asks for', () => {
    given(...RUNNING.toBeCancelled)
      .when(command.ReturnTask({ afterMs: 90_000 }))
      .then(returned, event('TaskCancelled', { queue: 'ingest', from: 'running', by: 'olga', reason: 'deploy' }));
  });

  it('fails if another task waits for its key', () => {
    given(enqueued, claimed)
      .when(command.ReturnTask({ conflictingTaskId: OTHER_TASK }))
      .then(returned, displacedWith(KEY_TAKEN));
  });

  it('carries out the request to cancel or hold it', () => {
    const by = { queue: 'ingest', from: 'running' } as const;
    given(...RUNNING.toBeCancelled)
      .when(command.ReturnTask())
      .then(returned, event('TaskCancelled', { ...by, by: 'olga', reason: 'deploy' }));
    given(...RUNNING.toBeHeld)
      .when(command.ReturnTask())
      .then(returned, event('TaskHeld', { ...by, heldBy: { by: 'olga', reason: 'deploy' } }));
  });
});

describe('footnotes 3 and 9: a running task that is to stop', () => {
  const request = (then: 'held' | 'cancelled' | 'failed') =>
    event('TaskCancelRequested', { ...ATTEMPT, by: 'olga', reason: 'deploy', then });
  const stopped = { queue: 'ingest', from: 'running' } as const;
  const isCancelled = event('TaskCancelled', { ...stopped, by: 'olga', reason: 'deploy' });
  const isHeld = event('TaskHeld', { ...stopped, heldBy: { by: 'olga', reason: 'deploy' } });
  const cancel = command.CancelTask();
  const hold = command.HoldTask({ reason: 'deploy' });

  it('still runs after the request', () => {
    given(enqueued, claimed).when(cancel).then(request('cancelled'));
    given(enqueued, claimed).when(hold).then(request('held'));
  });

  it('records the same request only once', () => {
    given(...RUNNING.toBeCancelled)
      .when(command.CancelTask({ reason: 'again' }))
      .thenNothing();
    given(...RUNNING.toBeHeld)
      .when(hold)
      .thenNothing();
  });

  it('follows the later of two different requests', () => {
    given(...RUNNING.toBeCancelled)
      .when(hold)
      .then(request('held'));
    given(...RUNNING.toBeHeld)
      .when(cancel)
      .then(request('cancelled'));
    given(...RUNNING.toBeHeld)
      .when(cancel)
      .and()
      .when(command.ConfirmCancel())
      .then(cancelConfirmed, isCancelled);
  });

  it('is cancelled by the person who asks after a shutdown did, and is not resumed with what the shutdown stopped', () => {
    const byShutdown = given(enqueued, claimed)
      .when(command.StopRun({ by: 'drain' }))
      .and();
    byShutdown.when(cancel).then(request('cancelled'));
    byShutdown.when(cancel).and().when(command.ConfirmCancel()).then(cancelConfirmed, isCancelled);
    const stoppedByShutdown = byShutdown.when(command.ConfirmCancel()).and();
    const kept = event('TaskCancelled', { ...isCancelled.data, from: 'cancelled' });
    stoppedByShutdown.when(cancel).then(kept);
    stoppedByShutdown.when(cancel).and().when(cancel).thenNothing();
  });

  it('ends cancelled or held when its worker confirms', () => {
    given(...RUNNING.toBeCancelled)
      .when(command.ConfirmCancel())
      .then(cancelConfirmed, isCancelled);
    given(...RUNNING.toBeHeld)
      .when(command.ConfirmCancel())
      .then(cancelConfirmed, isHeld);
  });

  it('ends cancelled or held when its lease expires, even the last one that may be lost', () => {
    const lastOne = { policy: { ...command.ExpireLease().policy, maxLost: 0 } };
    given(...RUNNING.toBeCancelled)
      .when(command.ExpireLease(lastOne))
      .then(leaseExpired, isCancelled);
    given(...RUNNING.toBeHeld)
      .when(command.ExpireLease(lastOne))
      .then(leaseExpired, isHeld);
  });

  it('is not held if the waiting place of its key is taken, but may be cancelled', () => {
    given(...RUNNING.toBeHeld)
      .when(command.ConfirmCancel({ conflictingTaskId: OTHER_TASK }))
      .then(cancelConfirmed, displacedWith(KEY_TAKEN));
    given(...RUNNING.toBeCancelled)
      .when(command.ConfirmCancel({ conflictingTaskId: OTHER_TASK }))
      .then(cancelConfirmed, isCancelled);
  });

  it('fails if its queue says so, with the request or the reported error as its error (S0-42)', () => {
    const error = {
      message: "Expected the task to go on, but 'olga' cancelled it: deploy",
      class: 'business',
    } as const;
    const asked = given(enqueued, claimed).when(command.CancelTask({ onRunning: 'fail' }));
    asked.then(request('failed'));
    for (const conflictingTaskId of [null, OTHER_TASK]) {
      asked
        .and()
        .when(command.ConfirmCancel({ conflictingTaskId }))
        .then(
          cancelConfirmed,
          event('TaskFailed', {
            ...stopped,
            key: 'a.txt',
            error,
            final: false,
            decidedBy: 'olga',
            ranMs: END.ranMs,
            ...(conflictingTaskId !== null && { conflictingTaskId }),
          }),
        );
    }
  });

  it('may still succeed', () => {
    given(...RUNNING.toBeCancelled)
      .when(command.SucceedTask())
      .then(succeeded);
  });

  it('cannot confirm a cancellation that nobody requested', () => {
    given(enqueued, claimed).when(command.ConfirmCancel()).thenRejected({ code: 'CANCEL_NOT_REQUESTED' });
  });

  it('may be cancelled by its worker, which asks and confirms at once', () => {
    const shutdown = { by: 'w1', reason: 'restart', shutdown: true } as const;
    const own = event('TaskCancelRequested', { ...ATTEMPT, ...shutdown, then: 'cancelled' });
    given(enqueued, claimed)
      .when(command.CancelRun())
      .then(own, cancelConfirmed, event('TaskCancelled', { ...isCancelled.data, ...shutdown }));
  });

  it('ends as somebody requested before its worker cancelled it', () => {
    given(...RUNNING.toBeCancelled)
      .when(command.CancelRun())
      .then(cancelConfirmed, isCancelled);
    given(...RUNNING.toBeHeld)
      .when(command.CancelRun())
      .then(cancelConfirmed, isHeld);
    given(...RUNNING.toBeHeld)
      .when(command.CancelRun({ conflictingTaskId: OTHER_TASK }))
      .then(cancelConfirmed, displacedWith(KEY_TAKEN));
  });

  it('is not affected by a request to cancel an earlier attempt', () => {
    const handedOn = given(...RUNNING.toBeHeld, leaseExpired, isHeld)
      .when(command.ReleaseTask())
      .and()
      .when(command.ClaimTask({ token: '8' }));
    expect(handedOn.and().state()).toHaveProperty('cancelRequest', null);
  });
});

describe('a repeated submission (footnote 1)', () => {
  it.each(['PrepareTask', 'EnqueueTask', 'RejectEnqueue'] as const)(
    '%s with the same content is already done',
    (type) => {
      given().when(command[type]()).and().when(command[type]()).thenNothing();
    },
  );

  it.each(['PrepareTask', 'EnqueueTask', 'RejectEnqueue'] as const)('%s with other content is refused', (type) => {
    given()
      .when(command[type]())
      .and()
      .when(command[type]({ submission: { ...SUBMISSION, payload: { file: 'z' } } }))
      .thenRejected({ code: 'TASK_EXISTS' });
  });

  it('is compared with what was submitted, not with what was amended or held since', () => {
    const amended = given(enqueued).when(command.AmendPayload()).and().when(command.HoldTask()).and();
    amended.when(command.EnqueueTask()).thenNothing();
    amended
      .when(command.EnqueueTask({ submission: { ...SUBMISSION, payload: { file: 'b.txt' } } }))
      .thenRejected({ code: 'TASK_EXISTS' });
  });

  it('is the same by whatever its queue is searched meanwhile', () => {
    const searched = { ...SUBMISSION, searchPaths: ['order.id'] };
    given(enqueued)
      .when(command.EnqueueTask({ submission: searched }))
      .thenNothing();
    given()
      .when(command.EnqueueTask({ submission: searched }))
      .and()
      .when(command.EnqueueTask({ submission: { ...searched, searchPaths: ['customer'] } }))
      .thenNothing();
  });

  it('is the same whether it is held or not', () => {
    given(enqueued)
      .when(command.EnqueueTask({ heldBy: { by: 'olga' } }))
      .thenNothing();
  });
});
