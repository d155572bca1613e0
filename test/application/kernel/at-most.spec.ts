import { describe, expect, it } from '@jest/globals';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../../src/application/kernel/at-most.js';

describe('A cache of at most so many entries', () => {
  it('forgets the one that was used longest ago', () => {
    const cache = new LRUCache<string, number>(atMost(2));
    cache.set('a', 1).set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect([...cache.keys()].sort()).toEqual(['a', 'c']);
  });

  it('takes no memory for entries that it does not have', () => {
    const cache = new LRUCache<string, number>(atMost(1_000_000));
    expect(cache.max).toBe(0);
  });
});
