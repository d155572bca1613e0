import { describe, expect, it } from '@jest/globals';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import type { TaskEvent } from '../../../src/domain/task/task.events.js';
import { specFor } from '../../support/decider-spec.js';
import { claimed, enqueued, held, HOLD, SUBMISSION } from './examples.js';

const given = specFor(taskDecider);

describe('the state of a task', () => {
  it('begins with its submission', () => {
    expect(given(enqueued).state()).toStrictEqual({
      status: 'pending',
      task: {
        submission: SUBMISSION,
        payload: { file: 'a.txt' },
        priority: 0,
        dueAt: null,
        expiresAt: null,
        deadlineAt: null,
        deadlineMissed: false,
        attempt: 0,
        failures: 0,
        lost: 0,
        lostBy: [],
        nextStep: null,
        entered: false,
        lastSuccessfulStep: null,
        beforeStep: null,
        lastSettlement: null,
        after: [],
        reportedBytes: 0,
        data: {},
      },
    });
  });

  it('keeps the hold apart from the submission', () => {
    expect(given(held).state()).toMatchObject({ heldBy: HOLD });
    expect(given(held).state()).toHaveProperty('task.submission', SUBMISSION);
  });

  it('throws on a stream without its beginning', () => {
    expect(() => given(claimed).state()).toThrow(
      "Expected a task to begin with its submission, but it begins with 'TaskClaimed'",
    );
  });

  it('throws on an event without a rule', () => {
    const stranger = { type: 'TaskPainted', version: 1, data: {} } as unknown as TaskEvent;
    expect(() => given(enqueued, stranger).state()).toThrow(
      "Expected to know how 'TaskPainted' changes a task, but it has no rule",
    );
  });
});
