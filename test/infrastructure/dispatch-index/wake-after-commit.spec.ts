import type { AppendItem, AppendResult } from '../../../src/application/kernel/event-store.port.js';
import type { ReadyTasks, WakeUps } from '../../../src/application/kernel/wake-ups.port.js';
import type { DomainEvent } from '../../../src/domain/kernel/decider.js';
import { wakeAfterCommit } from '../../../src/infrastructure/dispatch-index/wake-after-commit.js';
import { enqueued, failed, item, succeeded } from '../../support/events.js';

const appended: AppendResult = { kind: 'appended', position: 7n, revision: 0, recordedAt: '' };

/** The wake-ups after these appends, except those of the log's readers. */
function woken(appends: readonly AppendItem[], results: readonly AppendResult[] = appends.map(() => appended)) {
  const told: string[] = [];
  const wakeUps = {
    queueReady: (queue: string, { step, needs }: ReadyTasks = {}) =>
      told.push(`${queue} has work${step ? ` at ${step}` : ''}${needs ? ` for ${Object.keys(needs).join()}` : ''}`),
    slotFreed: (queue: string) => told.push(`${queue} has a place`),
    scheduleChanged: () => told.push('schedule'),
    logAdvanced: () => undefined,
  };
  wakeAfterCommit(wakeUps as unknown as WakeUps, appends, results);
  return told;
}

const append = (...events: DomainEvent[]): AppendItem => item('task-1', 0, events);
const STEPS = ['a', 'b'];
const GPU = { gpu: true };
const stepped = (data: object): DomainEvent => ({ ...event('TaskStepCompleted'), data: { queue: 'mail', ...data } });
const event = (type: string): DomainEvent => ({ type, version: 1, data: { queue: 'mail' } });

describe('wakeAfterCommit wakes', () => {
  it.each([
    ['claims, by a new task', [enqueued('mail')], ['mail has work']],
    [
      'the sweeper too, by a task that is due later',
      [enqueued('mail', { dueAt: 'then' })],
      ['mail has work', 'schedule'],
    ],
    ['claims for its first step, by a new task', [enqueued('mail', { steps: STEPS })], ['mail has work at a']],
    [
      'claims that offer what new tasks need',
      [
        enqueued('mail', { needs: GPU }),
        enqueued('mail', { needs: GPU, steps: STEPS }),
        enqueued('mail', { needs: GPU }),
      ],
      ['mail has work for gpu', 'mail has work at a for gpu'],
    ],
    [
      'all claims, if one task does not say what it needs',
      [enqueued('mail', { needs: GPU }), enqueued('mail')],
      ['mail has work'],
    ],
    ['claims for the next step, by a completed one', [stepped({ next: 'b' })], ['mail has work at b']],
    [
      'claims for several steps',
      [enqueued('mail', { steps: STEPS }), stepped({ next: 'b' })],
      ['mail has work at a', 'mail has work at b'],
    ],
    ['all claims, by a step that gives back a key', [stepped({ next: 'b', key: 'k' })], ['mail has work']],
    [
      'all claims, if a task may be at any step',
      [stepped({ next: 'b' }), event('QueueOpened'), event('TaskReturned')],
      ['mail has work'],
    ],
    ['claims that wait for a place, by a success', [succeeded('mail', '1')], ['mail has a place', 'schedule']],
    [
      'claims, by the success of a task with a key',
      [succeeded('mail', '1', { key: 'k' })],
      ['mail has work', 'schedule'],
    ],
    ['claims, by a failure', failed('mail', '1'), ['mail has work', 'schedule']],
    ['claims, by a queue that resumes', [event('QueueResumed')], ['mail has work', 'schedule']],
    ['the sweeper too, by a task that may be due later', [event('TaskReleased')], ['mail has work', 'schedule']],
    ['the sweeper too, by a retry', [event('TaskRetried')], ['mail has work', 'schedule']],
    ['the sweeper too, by the submission of a prepared task', [event('TaskSubmitted')], ['mail has work', 'schedule']],
    ['the sweeper, by a pause', [event('QueuePaused')], ['schedule']],
    [
      'nobody, by events without such an effect',
      [event('TaskPayloadAmended'), event('QueueTaken'), event('Unknown')],
      [],
    ],
  ])('%s', (_, events, told) => {
    expect(woken([append(...events)])).toEqual(told);
  });

  it('the claims of each queue once, by what was stored', () => {
    const appends = ['mail', 'mail', 'post', 'lost'].map((queue) => append(enqueued(queue)));
    const conflict: AppendResult = { kind: 'conflict', actual: 3 };
    expect(woken(appends, [appended, appended, appended, conflict])).toEqual(['mail has work', 'post has work']);
  });
});
