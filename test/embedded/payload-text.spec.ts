import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Waybill } from '@waybill/client';
import { type RunningService, startService } from '../support/running-service.js';

const TASKS = 3;

let service: RunningService;
let waybill: Waybill;

beforeAll(async () => {
  service = await startService();
  waybill = await service.embed();
  await waybill.queue('letters').define();
});
afterAll(() => service.stop());

/** How often a payload is turned into text while `work` runs. */
async function textsOfPayloads(work: () => Promise<unknown>): Promise<number> {
  const spy = jest.spyOn(JSON, 'stringify');
  try {
    await work();
    return spy.mock.results.reduce((count, { value }) => count + String(value).split('dear reader').length - 1, 0);
  } finally {
    spy.mockRestore();
  }
}

describe('the text of a payload', () => {
  it('given tasks with payloads, when they are enqueued, then each payload is turned into text once', async () => {
    const queue = waybill.queue('letters');
    const items = Array.from({ length: TASKS }, (_, page) => ({ payload: { text: 'dear reader', page } }));
    expect(await textsOfPayloads(() => queue.enqueueMany(items))).toBe(TASKS);
  });

  it('given those tasks, when they are claimed and settled, then no payload is turned into text', async () => {
    const count = await textsOfPayloads(async () => {
      const claimed = await waybill.queue('letters').claim({ worker: 'w1', max: TASKS });
      expect(claimed.map(({ payload }) => payload)).toContainEqual({ text: 'dear reader', page: 0 });
      await waybill.settle(claimed.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed' } })));
    });
    expect(count).toBe(0);
  });
});
