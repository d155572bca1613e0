import { describe, expect, it } from '@jest/globals';
import type { EventView, TaskSummary } from '@waybill/client';
import { lanesOf, needsHistory } from '../src/batches/batch-lanes.js';
import { isLost } from '../src/tasks/timeline.js';

const at = (seconds: number): string => new Date(Date.parse('2026-11-28T01:00:00Z') + seconds * 1_000).toISOString();
const ms = (seconds: number): number => Date.parse(at(seconds));

const task = (id: string, more: Partial<TaskSummary>): TaskSummary =>
  ({ id, state: 'succeeded', attempt: 1, worker: 'w1', startedAt: at(0), finishedAt: at(10), ...more }) as TaskSummary;

const event = (type: string, seconds: number, data: object, effects: readonly string[] = []): EventView =>
  ({ type, recordedAt: at(seconds), data, effects }) as unknown as EventView;

describe('the timeline of a batch', () => {
  it('has a bar for each task that has begun, the first one first, and goes up to now for what runs', () => {
    const tasks = [
      task('b', { startedAt: at(20), finishedAt: null, state: 'running' }),
      task('a', {}),
      task('c', { attempt: 0, startedAt: null, finishedAt: null, state: 'pending' }),
    ];
    const { lanes, fromMs, toMs } = lanesOf(tasks, new Map(), ms(60));
    expect(lanes.map((lane) => lane.task.id)).toEqual(['a', 'b']);
    expect([fromMs, toMs]).toEqual([ms(0), ms(60)]);
    expect(lanes[0]!.attempts[0]).toMatchObject({ fromMs: ms(0), toMs: ms(10), end: 'TaskSucceeded' });
  });

  it('asks for the history of a task that was attempted before, and names the attempt that was lost', () => {
    const twice = task('a', { attempt: 2, startedAt: at(30), finishedAt: at(40) });
    expect([needsHistory(twice), needsHistory(task('b', {}))]).toEqual([true, false]);
    expect(needsHistory(task('c', { state: 'pending', startedAt: null, finishedAt: null }))).toBe(true);
    expect(lanesOf([twice], new Map(), ms(60)).lanes).toEqual([]);
    const history = [
      event('TaskClaimed', 0, { attempt: 1, worker: 'w1' }, ['begins-run']),
      event('TaskLeaseExpired', 20, { ranMs: 20_000 }),
      event('TaskClaimed', 30, { attempt: 2, worker: 'w2' }, ['begins-run']),
      event('TaskSucceeded', 40, { ranMs: 10_000 }),
    ];
    const { lanes } = lanesOf([twice], new Map([['a', history]]), ms(60));
    expect(lanes[0]!.attempts.map(isLost)).toEqual([true, false]);
  });
});
