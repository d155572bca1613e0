import { describe, expect, it } from '@jest/globals';
import { EVERYTHING, MOST_SINGLE, NOTHING, type Selection, shownOf, toggled, toggledAll } from '../src/selection.js';

const SHOWN = ['a', 'b', 'c'];
const some = (...ids: string[]): Selection => ({ isAll: false, ids: new Set(ids) });

describe('the selection of tasks', () => {
  it('gains and loses single rows', () => {
    expect(toggled(NOTHING, 'b', SHOWN)).toEqual(some('b'));
    expect(toggled(some('b', 'c'), 'b', SHOWN)).toEqual(some('c'));
  });

  it('has no rows that are no longer shown', () => {
    expect(shownOf(some('a', 'gone'), SHOWN)).toEqual(['a']);
    expect(toggled(some('a', 'gone'), 'b', SHOWN)).toEqual(some('a', 'b'));
  });

  it('gains all rows, and loses them if it has all', () => {
    expect(toggledAll(some('b'), SHOWN)).toEqual(some('a', 'b', 'c'));
    expect(toggledAll(some('a', 'b', 'c'), SHOWN)).toEqual(NOTHING);
  });

  it('is no longer everything once one row is left out', () => {
    expect(shownOf(EVERYTHING, SHOWN)).toEqual(SHOWN);
    expect(toggled(EVERYTHING, 'b', SHOWN)).toEqual(some('a', 'c'));
    expect(toggledAll(EVERYTHING, SHOWN)).toEqual(NOTHING);
  });

  it('has no more single rows than one operation takes', () => {
    const many = Array.from({ length: MOST_SINGLE + 1 }, (_, n) => `n${n}`);
    const most = toggledAll(NOTHING, many);
    expect(shownOf(most, many)).toHaveLength(MOST_SINGLE);
    expect(toggledAll(most, many)).toEqual(NOTHING);
  });
});
