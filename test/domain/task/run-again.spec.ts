import { describe, expect, it } from '@jest/globals';
import { fold } from '../../../src/domain/kernel/decider.js';
import { DEFAULT_POLICY } from '../../../src/domain/queue/queue.policy.js';
import { type RunAgainOrder, secondRun } from '../../../src/domain/task/run-again.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import { isOpen, type Submission, TASK_STATUSES, type TaskEvent } from '../../../src/domain/task/task.events.js';
import { claimed, claimedStep, END, event, HISTORIES, OTHER_TASK, STEPS, SUBMISSION, succeeded } from './examples.js';

const INGEST = { name: 'ingest', policy: DEFAULT_POLICY, steps: [] };
const after = (
  events: readonly TaskEvent[],
  order: RunAgainOrder = {},
  queue = INGEST as Parameters<typeof secondRun>[3],
) => secondRun(OTHER_TASK, fold(taskDecider, events), order, queue);
const submitted = (more: Partial<Submission>) => event('TaskEnqueued', { ...SUBMISSION, ...more });

describe('the second run of a task', () => {
  it.each(TASK_STATUSES.filter((status) => !isOpen(status) && status !== 'deleted'))(
    'follows one that is %s',
    (status) => {
      for (const history of HISTORIES[status])
        expect(after(history)).toEqual({ ...SUBMISSION, priority: 0, steps: [], rerunOf: { task: OTHER_TASK } });
    },
  );

  it.each(TASK_STATUSES.filter(isOpen))('is refused of one that is %s', (status) => {
    for (const history of HISTORIES[status]) expect(after(history)).toEqual({ code: 'TASK_NOT_ENDED', state: status });
  });

  it('is refused of one that does not exist, or no longer', () => {
    for (const history of [...HISTORIES.unknown, ...HISTORIES.deleted])
      expect(after(history)).toEqual({ code: 'TASK_NOT_FOUND' });
  });

  it.each([
    ['planned a batch', { plans: OTHER_TASK }, 'planner'],
    ['was the job of items', { items: [OTHER_TASK] }, 'job'],
  ] as const)('is refused of one that %s', (_, more, because) => {
    expect(after([submitted(more), claimed, succeeded])).toEqual({ code: 'TASK_NOT_REPEATABLE', because });
  });

  it('has what the first one was submitted with, its last payload and priority, but no time, batch or prerequisite', () => {
    const kept = { reference: 'r-1', labels: { customer: 'a' }, description: 'Letters', auditContext: 'audit-7' };
    const left = { dueAt: '2026-03-01T10:00:00.000Z', batch: OTHER_TASK, after: [{ task: OTHER_TASK }], context: 'c' };
    const amended = event('TaskPayloadAmended', { queue: 'ingest', payload: 'new', previous: null });
    const raised = event('TaskReprioritised', { queue: 'ingest', priority: 7, previous: 0 });
    const run = after([submitted({ ...kept, ...left }), amended, raised, claimed, succeeded]);
    const expected = { ...SUBMISSION, ...kept, payload: 'new', priority: 7, steps: [], rerunOf: { task: OTHER_TASK } };
    expect(run).toEqual(expected);
  });

  it('has another payload and queue if they are given, also null', () => {
    const elsewhere = { name: 'other', policy: DEFAULT_POLICY, steps: ['only'] };
    const run = after([submitted({ steps: STEPS }), claimed, succeeded], { payload: null }, elsewhere);
    expect(run).toMatchObject({ queue: 'other', payload: null, steps: ['only'] });
  });

  it('begins anew with the data as submitted, and at a step with the data recorded so far', () => {
    const fetched = { ...END, step: 'fetch', next: 'check', then: 'finish', data: { size: 3 } } as const;
    const history = [
      submitted({ steps: STEPS, data: { shelf: 1 } }),
      claimedStep,
      event('TaskStepCompleted', fetched),
      succeeded,
    ];
    const anew = { ...SUBMISSION, priority: 0, steps: STEPS, rerunOf: { task: OTHER_TASK }, data: { shelf: 1 } };
    expect(after(history)).toEqual(anew);
    const run = after(history, { fromStep: 'store' });
    expect(run).toMatchObject({ rerunOf: { step: 'store', lastStep: 'check', data: { shelf: 1, size: 3 } } });
    expect(run).not.toHaveProperty('data');
    expect(after(history, { fromStep: 'fetch' })).toMatchObject({ rerunOf: { step: 'fetch' } });
  });

  it('is refused at a step that it does not have, and at one at which nobody may begin, unless that is the first', () => {
    const history = [submitted({ steps: STEPS }), claimedStep, succeeded];
    expect(after(history, { fromStep: 'print' })).toEqual({ code: 'STEP_UNKNOWN', step: 'print', steps: STEPS });
    const steps = STEPS.map((name) => ({ name, resumable: false }));
    const strict = { ...INGEST, policy: { ...DEFAULT_POLICY, steps } };
    expect(after(history, { fromStep: 'check' }, strict)).toEqual({ code: 'STEP_NOT_RESUMABLE', step: 'check' });
    expect(after(history, { fromStep: 'fetch' }, strict)).toMatchObject({ rerunOf: { step: 'fetch' } });
  });
});
