import { expect, it } from '@jest/globals';
import { restAfter } from '../../../src/infrastructure/projection-engine/rest-after.js';

it('a follower rests 20 ms after a few events, longer after more, and never longer than 100 ms', () => {
  expect([1, 20, 50, 100, 2_000].map(restAfter)).toEqual([20, 20, 50, 100, 100]);
});
