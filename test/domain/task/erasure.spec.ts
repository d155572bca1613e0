import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fold } from '../../../src/domain/kernel/decider.js';
import { publicHalf } from '../../../src/domain/public-half.js';
import { approvalIn } from '../../../src/domain/kernel/approval.js';
import { isRestOf, restBeside, restOf } from '../../../src/domain/task/erased-half.js';
import { mayRunAgain } from '../../../src/domain/task/rerun.js';
import { secondRun } from '../../../src/domain/task/run-again.js';
import { OPERATOR_COMMANDS, type TaskCommand } from '../../../src/domain/task/task.commands.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import type { TaskEvent } from '../../../src/domain/task/task.events.js';
import { VARIANTS } from './cases.js';
import { attemptFailed, claimed, command, enqueued, ERROR, failed, succeeded } from './examples.js';
import { LIVES } from './lives.js';

const erasure = { type: 'TaskErased', version: 1, data: { queue: 'ingest', erasure: 'e1' } } as const;
const groupOf = () => 'g1';

/** As its store keeps it. */
const erased = (event: TaskEvent): TaskEvent => {
  const open = publicHalf(event);
  return { ...open, data: { ...open.data, ...restOf(event, groupOf) } } as TaskEvent;
};

describe('an erased task', () => {
  it('takes no command of people but its deletion', () => {
    const state = fold(taskDecider, [enqueued, claimed, succeeded, erasure]);
    const answers = OPERATOR_COMMANDS.flatMap((type) =>
      VARIANTS[type].map((variant) => [type, taskDecider.decide(variant, state)] as const),
    );
    for (const [type, decision] of answers)
      expect([type, decision]).toEqual([
        type,
        type === 'DeleteTask'
          ? expect.objectContaining({ kind: 'accepted' })
          : { kind: 'rejected', rejection: { code: 'TASK_ERASED' } },
      ]);
    expect(taskDecider.decide(command.RestoreTask(), state)).toMatchObject({ rejection: { code: 'TASK_ERASED' } });
  });

  it('is not run again, by itself or with its batch', () => {
    const ended = fold(taskDecider, [enqueued, claimed, succeeded, erasure]);
    const queue = { name: 'ingest', policy: null, steps: [] };
    expect(secondRun('t', ended, { payload: 1 }, queue)).toEqual({ code: 'TASK_ERASED' });
    const events = [enqueued, claimed, attemptFailed, failed()];
    expect(mayRunAgain(fold(taskDecider, events))).toBe(true);
    expect(mayRunAgain(fold(taskDecider, [...events, erasure]))).toBe(false);
  });

  it('is the same whether or not its halves are gone yet', () => {
    fc.assert(
      fc.property(LIVES, (steps) => {
        const events = steps.flatMap((step) => [...step.events]);
        const at = events.findIndex(({ type }) => type === 'TaskErased');
        const left = events.map((event, n) => (n < at ? erased(event) : event));
        expect(fold(taskDecider, left)).toEqual(fold(taskDecider, events));
      }),
      { numRuns: 300 },
    );
  });
});

describe('the order of an erasure', () => {
  const data = { ...enqueued.data, queue: 'waybill.erasures', heldBy: { by: 'dora' } };
  const state = fold(taskDecider, [{ ...enqueued, data } as TaskEvent]);
  const released = (by: string, approver?: string) =>
    taskDecider.decide(
      { ...command.ReleaseTask(), by, ...(approver !== undefined && { approver }) } as TaskCommand,
      state,
    );

  it('is released by somebody else who may erase, and by nobody else', () => {
    const refused = { kind: 'rejected', rejection: { code: 'APPROVAL_NEEDED', by: 'dora' } };
    for (const decision of [released('dora', 'dora'), released('dora:x', 'dora:x'), released('ann')])
      expect(decision).toEqual(refused);
    expect(released('ann:x', 'ann')).toMatchObject({ events: [{ type: 'TaskReleased', data: { by: 'ann' } }] });
  });
});

describe('an order of an erasure is approved', () => {
  const order = (by: string, heldBy?: string) => ({
    type: 'TaskEnqueued',
    actor: by,
    data: heldBy === undefined ? {} : { heldBy: { by: heldBy } },
  });
  const release = (by: string) => ({ type: 'TaskReleased', actor: by, data: { by } });

  it('by the release of somebody else, also after others', () => {
    expect(approvalIn([order('dora:x', 'dora'), release('dora:y'), release('ann')])).toEqual(release('ann'));
    expect(approvalIn([order('web:eve', 'web:eve'), release('web:bob')])).toEqual(release('web:bob'));
  });

  it('by nobody who may be who gave it, whoever held it meanwhile', () => {
    const held = { type: 'TaskHeld', actor: 'bob', data: { heldBy: { by: 'bob' } } };
    for (const given of [order('dora:x', 'dora'), order('dora:x')])
      expect(approvalIn([given, held, release('dora')])).toBeUndefined();
    expect(approvalIn([order('dora', 'dora'), held, release('dora:eve')])).toBeUndefined();
    expect(approvalIn([order('dora', 'dora'), held])).toBeUndefined();
  });
});

describe('what is left of an error', () => {
  it('is its class, and its group if it is a failure', () => {
    const left = { message: '(erased)', class: ERROR.class };
    expect(restOf(attemptFailed, groupOf)).toEqual({ error: { ...left, group: 'g1' } });
    expect(restOf(failed(), groupOf)).toEqual({ error: { ...left, group: 'g1' } });
    const reported = { type: 'TaskErrorReported', version: 1, data: { ...attemptFailed.data, error: ERROR } } as const;
    expect(restOf(reported, groupOf)).toEqual({ error: left });
    expect(restOf(enqueued, groupOf)).toBeNull();
  });

  it('says nothing else than its public half, which is sealed, but for the group', () => {
    const open = publicHalf(failed()).data;
    const left = restOf(failed(), () => 'g0123456789abcde')!;
    const { group: _, ...error } = left.error;
    const forged = [
      { error: { ...left.error, class: 'lost' } },
      { error: { ...left.error, message: 'no paper' } },
      { error: { ...left.error, group: 'g1' } },
      { ...left, worker: 'mallory' },
      {},
    ];
    expect([left, { error }, null].map((one) => isRestOf(open, one))).toEqual([true, true, true]);
    expect(forged.map((one) => isRestOf(open, one))).toEqual(forged.map(() => false));
    expect(forged.map((one) => restBeside(open, one)?.error.class)).toEqual(forged.map(() => ERROR.class));
    expect([restBeside(open, left), restBeside(open, null)]).toEqual([left, { error }]);
  });

  it('is nothing where the public half has no error', () => {
    const { data } = publicHalf(enqueued);
    expect([isRestOf(data, null), isRestOf(data, { error: { message: '(erased)', class: 'lost' } })]).toEqual([
      true,
      false,
    ]);
    expect(restBeside(data, { error: { message: '(erased)', class: 'lost' } })).toBeNull();
  });
});
