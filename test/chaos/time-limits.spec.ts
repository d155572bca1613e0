import { describe, expect, it } from '@jest/globals';
import { violationsOf } from '../support/history-checker.js';
import { MISTIMED, TIMELY } from './wrong-logs/mistimed.js';

describe('the history checker on the times that limit tasks', () => {
  it.each(MISTIMED)('finds %s', (_, history) => {
    expect(violationsOf(history().history()).map(({ invariant }) => invariant)).toContain('I22');
  });

  it.each(TIMELY)('has nothing against %s', (_, history) => {
    expect(violationsOf(history().history())).toEqual([]);
  });
});
