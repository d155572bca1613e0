import { describe, expect, it } from '@jest/globals';
import { violationsOf } from '../support/history-checker.js';
import { ALICE, BATCH, BOB, Book, CAROL, QUEUE } from './book.js';

const STEPS = ['cut', 'glue'];
const ERROR = { message: 'no glue', class: 'business' };
const HALF = { task: ALICE, step: 'glue', lastStep: 'cut', data: { file: 'a' } };

/** ALICE's task has cut, and fails to glue. */
const AT = { at: '2026-11-21T08:00:00.000Z' };
const COUNTS = { ...AT, counts: { total: 1, succeeded: 1, failed: 0, aborted: 0, deleted: 0 } };

class Copied extends Book {
  private isOpened = false;

  failed(): this {
    this.enqueue(ALICE, 'a', 'ref', { steps: STEPS }).claim(ALICE, 'w', '1', { step: 'cut' });
    const attempt = { queue: QUEUE, attempt: 1, token: '1', worker: 'w', ranMs: 1_000 };
    const completed = { ...attempt, step: 'cut', next: 'glue', then: 'continue', data: { file: 'a' } };
    this.record(`task-${ALICE}`, 'TaskStepCompleted', completed);
    this.record(`task-${ALICE}`, 'TaskAttemptFailed', { ...attempt, error: ERROR });
    const failed = { queue: QUEUE, from: 'running', key: 'a', error: ERROR, final: false, decidedBy: 'policy' };
    this.record(`task-${ALICE}`, 'TaskFailed', { ...failed, ranMs: 1_000 });
    return this;
  }

  copy(id: string, rerunOf: object = HALF): this {
    if (!this.isOpened) this.batch('BatchCreated', { name: 'b', ...AT });
    const submission = { queue: QUEUE, kind: 'task', reference: 'ref', steps: STEPS, batch: BATCH };
    this.record(`task-${id}`, 'TaskEnqueued', { ...submission, rerunOf });
    if (!this.isOpened) this.batch('BatchOpened', { tasks: 1 });
    this.isOpened = true;
    return this;
  }

  glued(id: string): this {
    this.claim(id, 'w', '9', { step: 'glue' });
    const attempt = { queue: QUEUE, attempt: 1, token: '9', worker: 'w', ranMs: 1_000 };
    this.record(`task-${id}`, 'TaskStepCompleted', { ...attempt, step: 'glue', then: 'finish' });
    this.record(`task-${id}`, 'TaskSucceeded', { ...attempt, rerunOf: ALICE });
    this.batch('BatchReported', { number: 1, changes: [], more: 0, incomplete: [], ...COUNTS });
    return this.batch('BatchCompleted', COUNTS);
  }

  superseded(): this {
    this.record(`task-${ALICE}`, 'TaskSuperseded', { queue: QUEUE, from: 'failed', bySuccessOf: BOB });
    return this;
  }
}

const found = (book: Book): readonly string[] =>
  violationsOf(book.history()).flatMap(({ invariant, says }) => (/cop(y|ied|ies)/.test(says) ? invariant : []));

describe('the history checker', () => {
  it.each([
    ['a copy of a task that has not failed', 'I14', () => new Copied().enqueue(ALICE, 'a').copy(BOB)],
    ['two copies of one task', 'I14', () => new Copied().failed().copy(BOB).copy(CAROL)],
    ['a success of a copy that leaves its original failed', 'I14', () => new Copied().failed().copy(BOB).glued(BOB)],
    ['a copy at another step', 'I19', () => new Copied().failed().copy(BOB, { ...HALF, step: 'cut' })],
    ['a copy without the data', 'I19', () => new Copied().failed().copy(BOB, { ...HALF, data: {} })],
  ] as const)('finds %s', (_, invariant, book) => {
    expect(found(book())).toEqual([invariant]);
  });

  it.each([
    ['a copy that goes on where its original stopped', () => new Copied().failed().copy(BOB).glued(BOB).superseded()],
    ['one that begins anew, with the data', () => new Copied().failed().copy(BOB, { task: ALICE, data: HALF.data })],
  ])('has nothing against %s', (_, book) => {
    expect(found(book())).toEqual([]);
    const others = violationsOf(book().history()).map(({ invariant }) => invariant);
    expect(others.filter((one) => ['I5', 'I14', 'I19'].includes(one))).toEqual([]);
  });
});
