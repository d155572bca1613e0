import { expect, it } from '@jest/globals';
import { sameBeginning } from '../src/tasks/same-beginning.js';

it.each([
  [['connect 10.0.3.1 failed', 'connect 10.0.3.2 failed'], 'connect '],
  [['card declined for order 1', 'card declined for order 2'], 'card declined for order '],
  [['timeout', 'refused'], ''],
  [['alone here'], ''],
  [[], ''],
])('texts begin with the same words: %j', (texts, same) => {
  expect(sameBeginning(texts)).toBe(same);
});
