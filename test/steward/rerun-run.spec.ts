import { describe, expect, it } from '@jest/globals';
import type { Run, Waybill } from '@waybill/client';
import type { RerunOrder } from '../../src/application/batches/rerun-batch.handler.js';
import { planRerun } from '../../src/steward/rerun-run.js';

/** A batch in this state, which has this many tasks once the pages are copied. */
function world(state: string, total: number) {
  const [pages, opened]: [bigint[], number[]] = [[], []];
  const batch = { get: async () => ({ state, total }), open: async (tasks: number) => void opened.push(tasks) };
  const stop = new AbortController();
  const task = { taskId: 't', plans: 'again', claimEvent: 'e', payload: { of: 'failed' } };
  const run = {
    task,
    signal: stop.signal,
    succeed: (result: unknown) => ({ succeed: result }),
    noChange: () => 'no change',
    fail: (...failure: unknown[]) => ({ failure }),
  } as unknown as Run<RerunOrder>;
  const plan = () =>
    planRerun(run, { batch: () => batch } as unknown as Waybill, {
      copy: async (of, page) => {
        expect(of).toBe('failed');
        pages.push(page);
        return page < 5n ? page + 5n : null;
      },
    });
  return { plan, pages, opened, stop };
}

describe('an attempt to plan a rerun', () => {
  it('copies page by page, and opens the batch with the tasks that it has, also those of earlier attempts', async () => {
    const { plan, pages, opened } = world('planning', 3);
    expect(await plan()).toEqual({ succeed: { tasks: 3 } });
    expect([pages, opened]).toEqual([[0n, 5n], [3]]);
  });

  it('has nothing to do if an earlier attempt has opened the batch', async () => {
    const { plan, pages } = world('running', 3);
    expect([await plan(), pages]).toEqual(['no change', []]);
  });

  it('stops between two pages when it must', async () => {
    const { plan, opened, stop } = world('planning', 3);
    stop.abort(new Error('shutdown'));
    await expect(plan()).rejects.toThrow('shutdown');
    expect(opened).toEqual([]);
  });

  it('fails for good if no task may run again', async () => {
    const { plan, opened } = world('planning', 0);
    expect(await plan()).toMatchObject({
      failure: ['business', expect.stringContaining('there is none'), { final: true }],
    });
    expect(opened).toEqual([]);
  });
});
