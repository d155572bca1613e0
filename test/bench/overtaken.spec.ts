import { describe, expect, it } from '@jest/globals';
import { overtakenIn } from '../../bench/scale/overtaken.mjs';

const task = (id: string, seq: number, key: string | null = null) => ({ id, seq, key });
const claimed = (id: string, position: number) => ({ id, position, type: 'TaskClaimed' });
const succeeded = (id: string, position: number) => ({ id, position, type: 'TaskSucceeded' });

describe('whether a task was overtaken', () => {
  const tasks = [task('a', 1), task('b', 2), task('c', 3)];

  it('is told by a claim of a later task while an earlier one is ready', () => {
    expect(overtakenIn(tasks, [claimed('a', 4), claimed('b', 5), claimed('c', 6)])).toBeNull();
    expect(overtakenIn(tasks, [claimed('b', 4), claimed('a', 5)])).toBe('b was claimed at 4, before a');
    expect(overtakenIn(tasks, [claimed('a', 4), claimed('c', 6)])).toBe('c was claimed at 6, before b');
  });

  it('leaves out a task that waits for its key', () => {
    const ofOneKey = [task('a', 1, 'k'), task('b', 2, 'k'), task('c', 3)];
    expect(overtakenIn(ofOneKey, [claimed('a', 4), claimed('c', 5)])).toBeNull();
  });

  it('counts a task whose key was freed before the claim before', () => {
    const ofOneKey = [task('a', 1, 'k'), task('b', 2, 'k'), task('c', 3), task('d', 4)];
    const before = [claimed('a', 5), succeeded('a', 6)];
    // Its key may have become free after the claim had picked.
    expect(overtakenIn(ofOneKey, [...before, claimed('c', 8)])).toBeNull();
    expect(overtakenIn(ofOneKey, [...before, claimed('c', 8), claimed('d', 10)])).toBe('d was claimed at 10, before b');
  });
});
