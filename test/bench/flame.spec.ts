import { describe, expect, it } from '@jest/globals';
import { flameText } from '../../bench/profile/flame-text.mjs';
import { flameTree } from '../../bench/profile/flame-tree.mjs';

const frame = (functionName: string, url = '') => ({ functionName, url });
const OWN = 'file:///app/dist/domain/task.js';

/** A profile as `node --cpu-prof` writes it: calls as a tree, and the function that was running at each sample. */
const PROFILE = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 7, 8] },
    { id: 2, callFrame: frame('processTicks', 'node:internal/process'), children: [3] },
    { id: 3, callFrame: frame('settle', OWN), children: [4, 5] },
    { id: 4, callFrame: frame('', OWN), children: [6] },
    { id: 5, callFrame: frame('query', 'file:///app/node_modules/pg/lib/client.js') },
    { id: 6, callFrame: frame('decide', OWN) },
    { id: 7, callFrame: frame('(idle)') },
    { id: 8, callFrame: frame('(garbage collector)') },
  ],
  samples: [3, 5, 6, 7, 8],
  timeDeltas: [100, 300, 500, 9_000, 100],
};

describe('a profile as a flame graph in text', () => {
  it("shows the project's functions below their callers, largest first, and the rest by package", () => {
    expect(flameText(flameTree(PROFILE)).split('\n')).toEqual([
      ' 90.0 % ██████████████████   settle  domain/task',
      ' 50.0 % ██████████             decide  domain/task',
      ' 30.0 % ██████                 [pg]',
      ' 10.0 % ██                   garbage collection',
    ]);
  });

  it('leaves out functions below the smallest share, and none that contains a larger one', () => {
    expect(flameText(flameTree(PROFILE), { leastShare: 0.4 }).split('\n')).toHaveLength(2);
  });
});
