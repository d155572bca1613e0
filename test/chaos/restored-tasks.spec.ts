import { describe, expect, it } from '@jest/globals';
import { ALICE, BOB } from './book.js';
import { failedOnce, Undone, WRONGLY_UNDONE } from './wrong-logs/wrongly-undone.js';

describe('the history checker on undone operations', () => {
  it.each([
    ['of a task that had not begun', () => new Undone().enqueue(ALICE).abort().restore()],
    [
      'of a task that had failed once',
      () =>
        failedOnce()
          .abort()
          .restore({ was: { failures: 1, lost: 0 } }),
    ],
    [
      'of a task that is aborted again',
      () => new Undone().enqueue(ALICE).abort().restore().for('x', 'TaskAborted', { from: 'pending' }),
    ],
    [
      'of a task and what waits for it',
      () =>
        new Undone()
          .enqueue(ALICE)
          .enqueue(BOB, 'b', undefined, { after: [{ task: ALICE }] })
          .abort()
          .abort(BOB, ALICE)
          .restore()
          .restore({}, BOB),
    ],
  ] as const)('has nothing against the undo %s', (_, book) => {
    expect(book().says()).toEqual([]);
  });

  it.each(WRONGLY_UNDONE)('finds an undo that %s', (_, book, says) => {
    expect(book().says()).toContainEqual(expect.stringMatching(new RegExp(says)));
  });
});
