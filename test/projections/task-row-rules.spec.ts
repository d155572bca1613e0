import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TaskEvent } from '../../src/domain/task/task.events.js';
import type { TaskState } from '../../src/domain/task/task.state.js';
import { taskStream } from '../../src/domain/task/task.stream.js';
import { mergeTaskRowChanges } from '../../src/projections/kernel/rows/task-row-change.js';
import { taskRowChange } from '../../src/projections/kernel/rows/task-row-rules.js';
import { attempts, historyOf, TASKS, taskId } from './random-history.js';
import { applyRowChange, type FoldedRow } from './task-row-fold.js';

describe('the row of a task', () => {
  it('agrees with the decider for any history', () => {
    fc.assert(
      fc.property(attempts(), (attempted) => {
        const { events, states } = historyOf(attempted);
        const rows = foldAll(events);
        for (let task = 0; task < TASKS; task++) {
          expect(rowFacts(rows.get(taskStream(taskId('run', task))))).toEqual(stateFacts(states[task]!));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is compared in every status, and for a task that nobody submitted', () => {
    // With a fixed seed: of some thousand sets of 300 histories, one lacks the rarest status.
    const histories = fc.sample(attempts(), { numRuns: 300, seed: 1 }).map((attempted) => historyOf(attempted));
    expect(new Set(histories.flatMap(({ states }) => states.map(({ status }) => status))).size).toBe(12);
  });

  it('is the same whether the events of an append are applied one by one or together', () => {
    fc.assert(
      fc.property(attempts(), (attempted) => {
        const { appends, events } = historyOf(attempted);
        const together = new Map<string, FoldedRow>();
        for (const append of appends) {
          const last = append.at(-1)!;
          const change = append.map(({ event }) => taskRowChange(event)).reduce(mergeTaskRowChanges);
          together.set(last.stream, applyRowChange(together.get(last.stream), change, last));
        }
        expect(together).toEqual(foldAll(events));
      }),
    );
  });

  it('distinguishes the error of the current attempt from that of an earlier one', () => {
    const [, , claimed, reported] = rowsAlong([
      enqueued,
      { ...failedAttempt },
      claim(2),
      {
        type: 'TaskErrorReported',
        version: 1,
        data: { ...ofAttempt, attempt: 2, error: { message: 'slow', class: 'transient' } },
      },
    ]);
    expect(claimed).toMatchObject({ state: 'running', error: null, errorClass: null });
    expect(reported).toMatchObject({ state: 'running', error: 'slow', errorClass: 'transient' });
  });

  it('has a failure time only while the task is failed', () => {
    const error = { message: 'broken', class: 'bug' as const };
    const failed = {
      type: 'TaskFailed',
      version: 1,
      data: { queue: 'mail', from: 'running', error, final: false, decidedBy: 'policy' },
    } as const;
    const retried = { type: 'TaskRetried', version: 1, data: { queue: 'mail', from: 'failed', by: 'ann' } } as const;
    const [, whenFailed, whenRetried] = rowsAlong([enqueued, failed, retried]);
    expect(whenFailed).toMatchObject({ state: 'failed', error: 'broken', failedAt: TIME, finishedAt: TIME });
    expect(whenRetried).toMatchObject({ state: 'pending', error: null, failedAt: null, finishedAt: null });
  });

  it('throws on an event without a rule', () => {
    const unknown = { type: 'TaskTeleported', version: 1, data: {} } as unknown as TaskEvent;
    expect(() => taskRowChange(unknown)).toThrow("Expected to project 'TaskTeleported'");
  });
});

const TIME = '2026-11-21T08:00:00.000Z';
const ofAttempt = { queue: 'mail', attempt: 1, token: '1', worker: 'w1' };
const enqueued: TaskEvent = { type: 'TaskEnqueued', version: 1, data: { queue: 'mail', kind: 'task' } };
const failedAttempt: TaskEvent = {
  type: 'TaskAttemptFailed',
  version: 1,
  data: { ...ofAttempt, ranMs: 5, error: { message: 'broken', class: 'bug' } },
};
const claim = (attempt: number): TaskEvent => ({
  type: 'TaskClaimed',
  version: 1,
  data: { ...ofAttempt, attempt, server: 's1', claimId: 'c', leaseMs: 1, claimedAt: TIME, waitedMs: 0 },
});

function rowsAlong(events: readonly TaskEvent[]): FoldedRow[] {
  let row: FoldedRow | undefined;
  return events.map((event, at) => {
    row = applyRowChange(row, taskRowChange(event), { position: BigInt(at + 1), revision: at, recordedAt: TIME });
    return row;
  });
}

function foldAll(events: ReturnType<typeof historyOf>['events']): Map<string, FoldedRow> {
  const rows = new Map<string, FoldedRow>();
  for (const one of events) rows.set(one.stream, applyRowChange(rows.get(one.stream), taskRowChange(one.event), one));
  return rows;
}

const rowFacts = (row: FoldedRow | undefined) =>
  row && {
    state: row.state,
    attempt: row.attempt,
    priority: row.priority,
    dueAt: row.dueAt,
    lastStep: row.lastStep,
    worker: row.state === 'running' ? row.worker : null,
    error: ['undecided', 'failed', 'running'].includes(row.state) ? row.error : null,
    isFailed: row.failedAt !== null,
  };

function stateFacts(state: TaskState): ReturnType<typeof rowFacts> {
  if (state.status === 'unknown') return undefined;
  const { task } = state;
  const failure = state.status === 'failed' || state.status === 'undecided' ? state.error : null;
  return {
    state: state.status,
    attempt: task.attempt,
    priority: task.priority,
    dueAt: task.dueAt,
    lastStep: task.lastSuccessfulStep,
    worker: state.status === 'running' ? state.lease.worker : null,
    error: (state.status === 'running' ? state.reportedError : failure)?.message ?? null,
    isFailed: failure !== null,
  };
}
