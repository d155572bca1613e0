import { describe, expect, it } from '@jest/globals';
import type { EventView } from '../src/index.js';
import { age, detailsOf, duration, explained } from '../src/words/index.js';

const event = (type: string, data: object): EventView =>
  ({ type, data, envelope: { actor: 'w' } }) as unknown as EventView;

describe('durations', () => {
  it('are of two units at most, wherever they stand', () => {
    const claimed = event('TaskClaimed', { attempt: 1, waitedMs: 2_732_800, token: 242 });
    expect(detailsOf(claimed)).toBe('attempt 1, waited 45 min 32 s, fencing token 242');
    expect(detailsOf(event('TaskSucceeded', { ranMs: 4_394 }))).toBe('ran 4.4 s');
    expect([age(2_732_800), duration(2_732_800), age(60_000), age(null)]).toEqual([
      '45 min 32 s',
      '45 min 32 s',
      '1 min',
      '-',
    ]);
  });
});

describe('why a task has ended', () => {
  const why = (more: object) =>
    explained({
      taskId: '1',
      queue: 'mail',
      state: 'aborted',
      rank: null,
      allowed: ['DeleteTask'],
      reasons: [{ because: 'ended', state: 'aborted', by: 'ann', at: '2026-11-28T01:00:00.000Z', ...more }],
    } as never);

  it('says how to do its work again, which an erased task cannot', () => {
    expect(why({}).at(-1)).toBe('To do its work again, run it again as a new task.');
    expect(why({ erased: true }).at(-1)).toBe('To do its work again, enqueue a new task.');
  });
});
