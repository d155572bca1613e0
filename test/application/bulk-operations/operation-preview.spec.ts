import { describe, expect, it } from '@jest/globals';
import { NO_WAITERS } from '../../../src/application/bulk-operations/index-look.port.js';
import { PreviewTally } from '../../../src/application/bulk-operations/operation-preview.js';
import type { OperationRecord } from '../../../src/application/bulk-operations/operation-record.port.js';
import { withTakenAlong } from '../../../src/application/bulk-operations/taken-along.js';

describe('the count of what a command would come to', () => {
  it('adds up moves, refusals and triggers, and counts as done what is as wanted', () => {
    const tally = new PreviewTally();
    tally.accept('a', 'failed', 'pending');
    tally.accept('b', 'failed', 'pending');
    tally.accept('c', 'held', 'pending');
    tally.refuse('d', 'INVALID_TRANSITION');
    tally.refuse('e', 'INVALID_TRANSITION');
    tally.leave();
    for (const trigger of ['mail', 'mail', 'page']) tally.fire(trigger);
    expect(tally.result(7n, NO_WAITERS)).toEqual({
      position: 7n,
      decided: 6,
      done: 4,
      moves: [
        { from: 'failed', to: 'pending', count: 2 },
        { from: 'held', to: 'pending', count: 1 },
      ],
      refused: { INVALID_TRANSITION: 2 },
      waiters: NO_WAITERS,
      triggers: { mail: 2, page: 1 },
      examples: [
        { task: 'a', from: 'failed', to: 'pending' },
        { task: 'b', from: 'failed', to: 'pending' },
        { task: 'c', from: 'held', to: 'pending' },
        { task: 'd', code: 'INVALID_TRANSITION' },
        { task: 'e', code: 'INVALID_TRANSITION' },
      ],
    });
  });

  it('shows the first 20 tasks, and adds what comes back with others to what the index counts', () => {
    const tally = new PreviewTally();
    for (let at = 0; at < 30; at++) tally.accept(`t${at}`, 'aborted', 'pending');
    tally.takeAlong();
    tally.takeAlong();
    const { examples, waiters } = tally.result(1n, { ...NO_WAITERS, aborted: 3 });
    expect(examples.map(({ task }) => task)).toEqual(Array.from({ length: 20 }, (_, at) => `t${at}`));
    expect(waiters).toEqual({ ...NO_WAITERS, aborted: 5 });
  });
});

const GRAPH: Readonly<Record<string, readonly string[]>> = {
  left: ['root'],
  right: ['root'],
  join: ['left', 'right'],
  own: ['join'],
};

/** What waits for what in `GRAPH`. */
const record = {
  waitersOf: (tasks: readonly string[], limit: number) =>
    Promise.resolve(
      Object.keys(GRAPH)
        .filter((task) => GRAPH[task]!.some((need) => tasks.includes(need)))
        .slice(0, limit),
    ),
  linksAmong: (tasks: readonly string[]) =>
    Promise.resolve(
      tasks.flatMap((task) =>
        (GRAPH[task] ?? []).filter((needs) => tasks.includes(needs)).map((needs) => ({ task, needs })),
      ),
    ),
} as Partial<OperationRecord> as OperationRecord;

describe('what an abort took along', () => {
  it('is found over others, each once and after all that it waits for', async () => {
    const { tasks, along, needs } = await withTakenAlong(record, ['own', 'root'], 100);
    expect(tasks).toEqual(['root', 'left', 'right', 'join', 'own']);
    expect(along).toEqual(new Set(['left', 'right', 'join']));
    expect(needs).toEqual(new Map(Object.entries(GRAPH)));
  });

  it('ends at the most that is asked for', async () => {
    const { tasks, along } = await withTakenAlong(record, ['root'], 2);
    expect(tasks).toEqual(['root', 'left']);
    expect(along).toEqual(new Set(['left']));
  });
});
