import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createWaybill, type Waybill } from '@waybill/client';
import { KeyNotices } from '../../packages/client/src/key-notices.js';
import { type RunningService, startService } from '../support/running-service.js';

const ID = '019a0000-0000-7000-8000-00000000000a';
const OTHER = '019a0000-0000-7000-8000-00000000000b';

let service: RunningService;
beforeAll(async () => (service = await startService()));
afterAll(() => service.stop());

let warnings: string[];
let waybill: Waybill;
beforeEach(() => {
  warnings = [];
  waybill = createWaybill({ url: service.url, logger: { warn: (_fields, words) => void warnings.push(words) } });
});

let queues = 0;
async function newQueue() {
  const queue = waybill.queue(`noticed-${++queues}`);
  await queue.define();
  return queue;
}

describe('the notice of a client that a waiting task answered for another one', () => {
  it('is given once for each queue, with the key and the task that waits', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue(1, { key: 'k' });
    for (const n of [2, 3]) await queue.enqueue(n, { key: 'k' });
    await queue.enqueueMany([{ payload: 4, key: 'k' }]);
    await waybill.transaction((tx) => void tx.queue(queue.name).enqueue(5, { key: 'k' }));
    expect(warnings).toEqual([
      expect.stringContaining(`a task with key 'k' to queue '${queue.name}', but task '${id}'`),
    ]);
  });

  it.each<[string, (waybill: Waybill, queue: string) => Promise<unknown>]>([
    ['a call', (waybill, queue) => waybill.queue(queue).enqueue(1, { idempotencyKey: queue })],
    ['a call with a key', (waybill, queue) => waybill.queue(queue).enqueue(1, { key: 'k', idempotencyKey: queue })],
    ['a task by its id', (waybill, queue) => waybill.queue(queue).enqueue(1, { id: ID, key: 'k' })],
    [
      'a transaction',
      (waybill, queue) =>
        waybill.transaction((tx) => void tx.queue(queue).enqueue(1, { id: OTHER, key: 'k' }), {
          idempotencyKey: queue,
        }),
    ],
  ])('is not given for a repetition of the same: %s', async (_, submit) => {
    const { name } = await newQueue();
    for (let time = 0; time < 2; time++) await submit(waybill, name);
    expect(warnings).toEqual([]);
  });

  // A service that lost the answer of its store recognises the task that it has stored, and says that it exists.
  it('is not given for a task without a key', () => {
    const notices = new KeyNotices({ warn: (_fields, words) => void warnings.push(words) });
    notices.look('enqueueTask', { path: { queue: 'q' }, body: {} }, { id: ID, status: 'existing' });
    expect(warnings).toEqual([]);
  });
});
