import type { History, Invariant } from '../support/history-checker.js';
import { violationsOf } from '../support/history-checker.js';
import { IN_STEP, OUT_OF_STEP } from './wrong-logs/out-of-step.js';

const invariantsOf = (history: History): Invariant[] => [
  ...new Set(violationsOf(history).map(({ invariant }) => invariant)),
];

describe('the history checker on steps, holds and resources', () => {
  it.each(OUT_OF_STEP)('finds %s', (_, finds, history) => {
    expect(invariantsOf(history().history())).toContain(finds);
  });

  it.each(IN_STEP)('has nothing against %s', (_, history) => {
    const found = invariantsOf(history().history());
    expect(found.filter((one) => ['I19', 'I20', 'I21'].includes(one))).toEqual([]);
  });
});
