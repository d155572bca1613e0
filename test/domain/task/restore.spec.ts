import { describe, expect, it } from '@jest/globals';
import { fold } from '../../../src/domain/kernel/decider.js';
import type { TaskCommand, TaskCommandType } from '../../../src/domain/task/task.commands.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import type { TaskEvent } from '../../../src/domain/task/task.events.js';
import type { KnownTask, TaskState } from '../../../src/domain/task/task.state.js';
import { wasEntered } from '../../../src/projections/kernel/rows/task-row-rules.js';
import { casesOf } from './cases.js';
import {
  attemptFailed,
  BEFORE,
  claimedStep,
  command,
  enqueued,
  event,
  failed,
  HISTORIES,
  type History,
  HOLD,
  leaseExpired,
  OPERATION,
  RUNNING,
  withSteps,
} from './examples.js';
import { CELLS, type Cell } from './oracle.js';

/** Those that an operation gives, except the change of a priority, whose opposite is another change. */
const UNDONE: readonly TaskCommandType[] = [
  'HoldTask',
  'ReleaseTask',
  'RetryTask',
  'CancelTask',
  'AbortTask',
  'DeleteTask',
];

const decided = (given: TaskCommand, state: TaskState): readonly TaskEvent[] => {
  const decision = taskDecider.decide(given, state);
  return decision.kind === 'accepted' ? decision.events : [];
};

const undo = (history: History) => {
  const state = fold(taskDecider, history) as KnownTask;
  const entered = wasEntered(history, state.task.submission.steps !== undefined);
  return command.RestoreTask({ before: { state, entered, place: null } });
};

/** The state after a command and its undo, and before. Null if the command records nothing. */
function thereAndBack(
  history: History,
  given: TaskCommand,
): { readonly before: TaskState; readonly after: TaskState } | null {
  const before = fold(taskDecider, history);
  const events = decided(given, before);
  if (events.length === 0) return null;
  const done = fold(taskDecider, events, before);
  return { before, after: fold(taskDecider, decided(undo(history), done), done) };
}

const cells = CELLS.filter(({ command: type, outcomes, status }) => {
  const accepts = [...outcomes].some((outcome) => outcome !== 'rejected' && outcome !== 'alreadyDone');
  return UNDONE.includes(type) && accepts && status !== 'running';
});

describe('a command and its undo leave the task as it was', () => {
  it.each(cells.map((cell) => [`${cell.command} when ${cell.status}`, cell] as const))('%s', (_, cell: Cell) => {
    const pairs = casesOf(cell).flatMap(({ history, command: given }) => thereAndBack(history, given) ?? []);
    expect(pairs.length).toBeGreaterThan(0);
    for (const { before, after } of pairs) expect(after).toEqual(before);
  });

  it.each([
    ['in its first step', [withSteps, claimedStep, leaseExpired]],
    ['at a step that was never begun', [withSteps]],
    [
      'at its second step, after failures in the first',
      [
        withSteps,
        claimedStep,
        attemptFailed,
        event('TaskClaimed', { ...claimedStep.data, attempt: 2, token: '8' }),
        event('TaskStepCompleted', { ...attemptFailed.data, token: '8', step: 'fetch', next: 'check', then: 'offer' }),
      ],
    ],
  ] satisfies readonly (readonly [string, History])[])('a task %s', (_, history) => {
    const held = [...history, event('TaskHeld', { queue: 'ingest', from: 'pending', heldBy: HOLD })];
    for (const [path, given] of [
      [history, command.HoldTask()],
      [held, command.ReleaseTask()],
      [held, command.DeleteTask()],
    ] as const) {
      const { before, after } = thereAndBack(path, given)!;
      expect(after).toEqual(before);
    }
  });

  it('gives a retried task its counts, its time to live and the workers that lost it back', () => {
    const timed = event('TaskEnqueued', { ...enqueued.data, expiresAt: '2026-03-05T00:00:00.000Z' });
    const history = [timed, RUNNING.plain[1]!, leaseExpired, RUNNING.plain[1]!, attemptFailed, failed()];
    const { before, after } = thereAndBack(history, command.RetryTask())!;
    expect(after).toEqual(before);
    expect(after).toMatchObject({
      status: 'failed',
      task: { failures: 1, lost: 1, lostBy: ['w1'], expiresAt: timed.data.expiresAt },
    });
  });
});

describe('a task that ran', () => {
  it.each([['AbortTask' as const], ['DeleteTask' as const]])(
    'waits after the undo of %s, whatever its worker did',
    (type) => {
      const given = { ...command[type](), ...(type === 'DeleteTask' && { force: true }) } as TaskCommand;
      const { before, after } = thereAndBack(RUNNING.plain, given)!;
      expect(after).toEqual({ status: 'pending', task: (before as KnownTask).task });
    },
  );

  it('keeps a request that was made to its worker', () => {
    const state = fold(taskDecider, RUNNING.toBeCancelled);
    expect(taskDecider.decide(command.RestoreTask(), state)).toMatchObject({
      kind: 'rejected',
      rejection: { code: 'ILLEGAL_TRANSITION', state: 'running' },
    });
  });
});

describe('what is recorded of an undo', () => {
  it('is the operation, the move, and what the task is again', () => {
    const state = fold(taskDecider, [...HISTORIES.held[0]!, event('TaskReleased', { queue: 'ingest', by: 'olga' })]);
    const before = { state: fold(taskDecider, HISTORIES.held[0]!) as KnownTask, entered: false, place: '41' };
    expect(decided(command.RestoreTask({ before }), state)).toEqual([
      event('TaskRestored', {
        queue: 'ingest',
        from: 'pending',
        to: 'held',
        undoes: OPERATION,
        by: 'olga',
        was: { failures: 0, lost: 0, place: '41' },
        heldBy: HOLD,
      }),
    ]);
  });

  it('never makes a task deleted', () => {
    const state = fold(taskDecider, HISTORIES.deleted[0]!) as KnownTask;
    const decision = taskDecider.decide(command.RestoreTask({ before: { ...BEFORE, state } }), state);
    expect(decision).toMatchObject({ kind: 'rejected', rejection: { code: 'ILLEGAL_TRANSITION' } });
  });
});
