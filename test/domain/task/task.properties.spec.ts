import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fold } from '../../../src/domain/kernel/decider.js';
import type { TaskCommandType } from '../../../src/domain/task/task.commands.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import { TASK_EVENTS, type TaskEvent } from '../../../src/domain/task/task.events.js';
import type { TaskState } from '../../../src/domain/task/task.state.js';
import { agree } from '../../support/agree.js';
import { VARIANTS } from './cases.js';
import { STEPS } from './examples.js';
import { LIVES, type Step } from './lives.js';
import { cellOf, type Outcome, type Status, STATUSES } from './oracle.js';

const RUNS = { numRuns: 300 };

/** Checks every step of every life. On a failure, fast-check prints the seed and the shortest life that it found. */
const always = (check: (step: Step) => void): void =>
  fc.assert(
    fc.property(LIVES, (steps) => steps.forEach(check)),
    RUNS,
  );

const WORKER_COMMANDS = new Set<TaskCommandType>([
  'CompleteStep',
  'ReportError',
  'RecordData',
  'SucceedTask',
  'FailTask',
  'ReturnTask',
  'WaitTask',
  'ConfirmCancel',
  'CancelRun',
  'ExpireLease',
  'TimeOutRun',
]);

const accepted = ({ events }: Step): boolean => events.length > 0;
const attemptOf = (state: TaskState): number => (state.status === 'unknown' ? 0 : state.task.attempt);
const outcomeOf = ({ decision, after }: Step): Outcome => (decision.kind === 'accepted' ? after.status : decision.kind);

describe('a command given twice', () => {
  /**
   * A retried or requeued task waits like any other, so nothing distinguishes a repetition from a second command, and
   * the table refuses it. Idempotency keys make their HTTP requests repeatable.
   */
  const REFUSED_AGAIN = new Set<TaskCommandType>(['RetryTask', 'DecideRetry', 'OverruleTask']);

  it('is recorded once, and is already done the second time', () => {
    always((step) => {
      // Who undoes knows from the history what is undone already.
      // Each signal and each submission is one more, unless it comes under the same idempotency key.
      if (!accepted(step) || ['RestoreTask', 'SignalTask', 'GatherSubmission'].includes(step.command.type)) return;
      const again = taskDecider.decide(step.command, step.after);
      agree(again.kind, REFUSED_AGAIN.has(step.command.type) ? 'rejected' : 'alreadyDone');
    });
  });

  it('is answered the same if it recorded nothing', () => {
    always((step) => {
      if (accepted(step)) return;
      agree(taskDecider.decide(step.command, step.after), step.decision);
    });
  });
});

/** A retry gives waits their whole time again. Its undo leaves that so, because the next retry does the same. */
function timeless(state: TaskState): TaskState {
  if (state.status === 'unknown') return state;
  const { waits: _waits, ...task } = state.task;
  return { ...state, task } as TaskState;
}

describe('an undo', () => {
  it('gives the state before the command back, and lets a task that ran wait', () => {
    always(({ command, events, after }) => {
      if (command.type !== 'RestoreTask' || events.length === 0) return;
      const { state } = command.before;
      agree(timeless(after), timeless(state.status === 'running' ? { status: 'pending', task: state.task } : state));
    });
  });
});

describe('a policy whose steps are names', () => {
  it('decides like one without steps', () => {
    always(({ before, command, decision }) => {
      if (!('policy' in command) || command.policy === undefined) return;
      const { steps: _, ...policy } = command.policy;
      const decided = (steps?: readonly string[]) =>
        taskDecider.decide({ ...command, policy: { ...policy, ...(steps && { steps }) } }, before);
      agree(decided(STEPS), decided());
      if (command.policy.steps?.every((step) => typeof step === 'string') ?? true) agree(decision, decided());
    });
  });
});

describe('the fold of the events', () => {
  it('is the state, even after they were stored and read', () => {
    fc.assert(
      fc.property(LIVES, (steps) => {
        const events = steps.flatMap((step) => step.events);
        const stored = JSON.parse(JSON.stringify(events)) as TaskEvent[];
        agree(stored, events);
        agree(fold(taskDecider, stored), steps.at(-1)!.after);
      }),
      RUNS,
    );
  });

  it('contains no null for an absent field', () => {
    const MAY_BE_NULL = new Set(['payload', 'previous', 'dueAt', 'data']);
    always(({ events }) => {
      for (const { data } of events)
        for (const [name, value] of Object.entries(data)) if (value === null) expect(MAY_BE_NULL).toContain(name);
    });
  });

  it('keeps the status of a task after an event in place', () => {
    const inPlace = ({ type }: TaskEvent): boolean => 'inPlace' in TASK_EVENTS[type];
    always(({ before, events }) => {
      if (before.status === 'unknown') return;
      for (const [at, event] of events.entries()) {
        const state = fold(taskDecider, events.slice(0, at), before);
        if (inPlace(event)) agree(fold(taskDecider, [event], state).status, state.status);
      }
    });
  });

  it('shares the parts that the events do not change', () => {
    always(({ before, events, after }) => {
      if (events.length !== 1 || before.status === 'unknown' || after.status === 'unknown') return;
      // Takes the contents of the submission away.
      if (events[0]!.type === 'TaskErased') return;
      expect(after.task.submission).toBe(before.task.submission);
      if (after.task.entered !== before.task.entered) return;
      if (['TaskHeld', 'TaskReleased', 'TaskCancelled', 'TaskAborted', 'TaskDeleted'].includes(events[0]!.type))
        expect(after.task).toBe(before.task);
    });
  });
});

describe('the lean state of a running task', () => {
  const leanOf = taskDecider.lean!;

  it('decides every command under a claim like the full state, and evolves alike', () => {
    always(({ before, command, decision, events, after }) => {
      const lean = leanOf(before);
      if (!lean || !WORKER_COMMANDS.has(command.type)) return;
      agree(taskDecider.decide(command, lean), decision);
      const evolved = fold(taskDecider, events, lean);
      agree(evolved.status, after.status);
      agree(leanOf(evolved), leanOf(after));
    });
  });

  it('has no payload, and exists for running tasks without data and waits only', () => {
    always(({ after }) => {
      const lean = leanOf(after);
      const isPlain = after.status === 'running' && Object.keys(after.task.data).length === 0 && !after.task.waits;
      agree(lean !== null, isPlain);
      if (lean?.status !== 'running') return;
      agree(lean.task.payload, null);
      expect(lean.task.submission).not.toHaveProperty('payload');
    });
  });
});

describe('no history leads to an illegal state', () => {
  /** Outcomes besides the cell's: a request to stop is carried out, another task waits for the key, or a settlement is repeated. */
  const BESIDE: Partial<Record<TaskCommandType, readonly Status[]>> = {
    CompleteStep: ['succeeded', 'cancelled', 'held', 'failed'],
    SucceedTask: [],
    FailTask: [],
    ReturnTask: ['cancelled', 'held', 'failed'],
    WaitTask: ['cancelled', 'held', 'failed'],
    ExpireLease: ['cancelled', 'held'],
    ConfirmCancel: ['failed'],
    CancelRun: ['failed'],
  };

  it('every command leads to the state in the table', () => {
    always((step) => {
      const { command, before } = step;
      // An undo leads to whatever was before: see above.
      if (command.type === 'RestoreTask') return;
      const outcome = outcomeOf(step);
      const cell = cellOf(command.type, before.status);
      // Data may be refused although the status allows the command, and a worker's repetition is recognised in every
      // status.
      if (outcome === 'rejected' || (outcome === 'alreadyDone' && before.status !== 'unknown')) return;
      const beside = before.status === 'running' ? (BESIDE[command.type] ?? []) : [];
      expect([...cell.outcomes, ...beside]).toContain(outcome);
    });
  });

  it('a command that the table refuses records nothing', () => {
    always((step) => {
      const { outcomes } = cellOf(step.command.type, step.before.status);
      if (outcomes.size === 1 && (outcomes.has('rejected') || outcomes.has('alreadyDone')))
        expect(step.events).toEqual([]);
    });
  });

  it('attempts grow only by claims, and shrink only by returns and waits', () => {
    always((step) => {
      const change = attemptOf(step.after) - attemptOf(step.before);
      const claims = step.events.filter(({ type }) => type === 'TaskClaimed').length;
      const returned = step.events.filter(({ type }) => type === 'TaskReturned' || type === 'TaskWaited').length;
      agree(change, claims - returned);
      expect(attemptOf(step.after)).toBeGreaterThanOrEqual(0);
    });
  });

  it('tokens of claims strictly grow, and only the current one is accepted', () => {
    fc.assert(
      fc.property(LIVES, (steps) => {
        const claims = steps.flatMap(({ events }) => events.filter((event) => event.type === 'TaskClaimed'));
        claims.reduce((last, { data }) => (expect(Number(data.token)).toBeGreaterThan(last), Number(data.token)), 0);
        for (const step of steps.filter((one) => accepted(one) && WORKER_COMMANDS.has(one.command.type))) {
          agree(step.before.status, 'running');
          expect(step.before).toHaveProperty('lease.token', (step.command as { token: string }).token);
        }
      }),
      RUNS,
    );
  });

  it('only the listed commands lead out of a final status', () => {
    const LEAVES: Partial<Record<Status, readonly TaskCommandType[]>> = {
      succeeded: ['DeleteTask'],
      aborted: ['DeleteTask', 'RestoreTask'],
      superseded: ['DeleteTask'],
      deleted: ['RestoreTask'],
      cancelled: ['RetryTask', 'AbortTask', 'DeleteTask', 'RestoreTask'],
      failed: ['RetryTask', 'SupersedeTask', 'AbortTask', 'DeleteTask'],
    };
    always(({ before, command, after }) => {
      const leaves = LEAVES[before.status];
      if (leaves && before.status !== after.status) expect(leaves).toContain(command.type);
      if (before.status === 'failed' && before.final) expect(after.status).not.toBe('pending');
    });
  });

  it('a failed attempt is followed by exactly one consequence, in the same append', () => {
    const CONSEQUENCES = ['TaskRetryScheduled', 'TaskDecisionRequested', 'TaskFailed'];
    always(({ events }) => {
      const at = events.findIndex(({ type }) => type === 'TaskAttemptFailed');
      if (at < 0) return;
      expect(events).toHaveLength(at + 2);
      expect(CONSEQUENCES).toContain(events[at + 1]!.type);
    });
  });

  it('a task is at one of its steps, or has completed all of them', () => {
    always(({ after }) => {
      if (after.status === 'unknown') return;
      const { submission, nextStep, lastSuccessfulStep } = after.task;
      const steps = [...(submission.steps ?? []), null];
      expect(steps).toContain(nextStep);
      expect(steps).toContain(lastSuccessfulStep);
    });
  });

  it('an event names its attempt, worker and queue', () => {
    always(({ before, events }) => {
      for (const { data } of events) {
        agree(data.queue, 'ingest');
        if (!('attempt' in data) || before.status !== 'running') continue;
        const { task, lease } = before;
        expect(data).toMatchObject({ attempt: task.attempt, token: lease.token, worker: lease.worker });
      }
    });
  });
});

describe('the generated histories', () => {
  it('reach every status, and every command succeeds at least once', () => {
    const statuses = new Set<Status>();
    const commands = new Set<TaskCommandType>();
    for (const steps of fc.sample(LIVES, { numRuns: 2_000, seed: 1 }))
      for (const step of steps) {
        statuses.add(step.before.status);
        if (accepted(step)) commands.add(step.command.type);
      }
    expect(statuses).toEqual(new Set(STATUSES));
    expect(commands).toEqual(new Set(Object.keys(VARIANTS)));
  });
});
