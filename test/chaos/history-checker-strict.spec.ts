import { describe, expect, it } from '@jest/globals';
import { violationsIn } from '../../src/check/log-check.js';
import { ALICE, type Book } from './book.js';
import { GOOD, NEVER, TOLERATED, unsuperseded } from './wrong-logs/rerun-or-retried.js';

const says = (book: Book, isForeign = false): readonly string[] =>
  violationsIn(book.events, { isWhole: true, claimsTakeTurns: true, isForeign }).map(
    (one) => `${one.invariant} ${one.says}`,
  );

describe('the history checker', () => {
  it.each([...TOLERATED, ...NEVER])('finds %s', (_, finds, book) => {
    expect(says(book())).toEqual([expect.stringMatching(finds)]);
  });

  it.each(NEVER)('finds %s in a foreign log', (_, finds, book) => {
    expect(says(book(), true)).toEqual([expect.stringMatching(finds)]);
  });

  it.each(TOLERATED)('tolerates %s in a foreign log', (_, __, book) => {
    expect(says(book(), true)).toEqual([]);
  });

  it.each(GOOD)('has nothing against %s', (_, book) => {
    expect(says(book())).toEqual([]);
    expect(says(book(), true)).toEqual([]);
  });

  it('finds a success of a second run that leaves its first run failed', () => {
    const traits = { isWhole: true, claimsTakeTurns: true, isOver: true };
    expect(violationsIn(unsuperseded().events, traits).map((one) => one.says)).toContain(
      `Expected '${ALICE}' to be superseded, because its copy succeeded`,
    );
  });
});
