import { describe, expect, it } from '@jest/globals';
import { between } from '../src/ui/selection.js';

describe('a range of rows', () => {
  const rows = ['a', 'b', 'c', 'd'];

  it('has all rows between two, in either direction', () => {
    expect([between(rows, 'b', 'd'), between(rows, 'd', 'b')]).toEqual([
      ['b', 'c', 'd'],
      ['b', 'c', 'd'],
    ]);
  });

  it('is the row alone if the other one is gone', () => {
    expect(between(rows, 'gone', 'c')).toEqual(['c']);
  });
});
