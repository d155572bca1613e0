import { describe, expect, it } from '@jest/globals';
import type { TaskSummary } from '@waybill/client';
import { newcomers, updated } from '../src/tasks/newest.js';

const task = (id: string, state = 'pending') => ({ id, state }) as TaskSummary;

describe('a list that people read while tasks change', () => {
  const loaded = [task('b'), task('a')];
  const newest = [task('d'), task('c'), task('b', 'running')];

  it('keeps its rows and their order, and shows what is known anew of them', () => {
    expect(updated(loaded, newest)).toEqual([task('b', 'running'), task('a')]);
  });

  it('counts the tasks that it does not show', () => {
    expect(newcomers(['b', 'a'], newest)).toBe(2);
  });
});
