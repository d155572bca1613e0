import { violationsIn } from '../../../src/check/log-check.js';
import { ALICE, Book, BOB, QUEUE } from '../book.js';

const OPERATION = '01900000-0000-7000-8000-0000000000f1';
const UNDO = '01900000-0000-7000-8000-0000000000f2';
const NOTHING_WAS = { failures: 0, lost: 0 };

/** A log in which an operation was undone. */
export class Undone extends Book {
  /** Records an event of the task that was made for an operation. */
  for(correlationId: string, type: string, data: object, task = ALICE): this {
    this.record(`task-${task}`, type, { queue: QUEUE, by: 'tester', ...data });
    const last = this.events.pop()!;
    this.events.push({ ...last, envelope: { ...last.envelope, correlationId } });
    return this;
  }

  abort(task = ALICE, prerequisite?: string): this {
    const data = { from: 'pending', reason: 'a mistake', ...(prerequisite && { prerequisite }) };
    return this.for(OPERATION, 'TaskAborted', data, task);
  }

  restore(data: object = {}, task = ALICE): this {
    const plain = { from: 'aborted', to: 'pending', undoes: OPERATION, by: 'tester', was: NOTHING_WAS };
    return this.for(UNDO, 'TaskRestored', { ...plain, ...data }, task);
  }

  says(): readonly string[] {
    const found = violationsIn(this.events, { isWhole: true, claimsTakeTurns: true, isOver: true });
    return found.map(({ invariant, says }) => `${invariant} ${says}`);
  }
}

export const failedOnce = (): Undone => new Undone().enqueue(ALICE).claim(ALICE, 'w').fail(ALICE);

/** What an undo does wrong, its log, and what the checker says of it. */
export const WRONGLY_UNDONE = [
  ['forgets a failure', () => failedOnce().abort().restore(), 'I7 Expected .* to be as before the operation'],
  [
    'invents a lost lease',
    () =>
      new Undone()
        .enqueue(ALICE)
        .abort()
        .restore({ was: { failures: 0, lost: 1 } }),
    'I7 Expected .* to be as before the operation',
  ],
  [
    'holds what was not held',
    () =>
      new Undone()
        .enqueue(ALICE)
        .abort()
        .restore({ to: 'held', heldBy: { by: 'ann' } }),
    'I7 Expected .* to be as before the operation',
  ],
  [
    'undoes what another one did',
    () => new Undone().enqueue(ALICE).for('another', 'TaskAborted', { from: 'pending' }).restore(),
    'I7 Expected operation .* to have changed',
  ],
  [
    'undoes what has changed since',
    () =>
      new Undone()
        .enqueue(ALICE)
        .for(OPERATION, 'TaskHeld', { from: 'pending', heldBy: { by: 'tester' } })
        .for('since', 'TaskReleased', {})
        .restore({ from: 'pending' }),
    'I7 Expected operation .* to have changed',
  ],
  [
    'brings a task back without what it waits for',
    () =>
      new Undone()
        .enqueue(ALICE)
        .enqueue(BOB, 'b', undefined, { after: [{ task: ALICE }] })
        .abort()
        .abort(BOB, ALICE)
        .restore({}, BOB),
    'I13 ',
  ],
] as const;
