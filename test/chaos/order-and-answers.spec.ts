import { type History, type Invariant, violationsOf } from '../support/history-checker.js';
import { DISORDERLY, ORDERLY, overtaken } from './wrong-logs/disorderly.js';

const invariantsOf = (history: History): Invariant[] =>
  [...new Set(violationsOf(history).map(({ invariant }) => invariant))].sort();

describe('the history checker', () => {
  it.each(DISORDERLY)('finds %s', (_, finds, history, says = /./) => {
    const found = history();
    expect(invariantsOf(found)).toEqual(expect.arrayContaining([...finds]));
    expect(violationsOf(found).map((one) => one.says)).toContainEqual(expect.stringMatching(says));
  });

  it.each(ORDERLY)('finds nothing in %s', (_, good) => {
    expect(violationsOf(good())).toEqual([]);
  });

  it('judges no order among claims that another store records', () => {
    expect(violationsOf({ ...overtaken(), claimsTakeTurns: false })).toEqual([]);
  });
});
