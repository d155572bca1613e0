import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueueHandle } from '@waybill/client';
import { SAMPLED } from '../../../src/infrastructure/ports/erasable.js';
import { erased } from '../../support/erased.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { SECRETS, signed } from '../../support/signed-delivery.js';
import { erasing } from '../../support/subject-keys.js';
import { tablesWith } from '../../support/tables-with.js';

/** In everything that the subject's tasks are about, and in nothing else. */
const MARK = 'quetzal';
const LABELS = { customer: MARK };
const SUBJECT = { label: { name: 'customer', value: MARK } };
const AN_HOUR = 3_600_000;
const A_DAY = 24 * AN_HOUR;

let service: RunningService;
beforeAll(async () => {
  service = await startService({ inboundSecrets: SECRETS, ...erasing() });
});
afterAll(() => service.stop());

let made = 0;
async function newQueue(policy: Parameters<QueueHandle['define']>[0] = {}): Promise<QueueHandle> {
  const queue = service.waybill.queue(`erased-${++made}`);
  await queue.define({ onFailure: 'fail', ...policy });
  return queue;
}

const tablesWithMark = () => tablesWith(MARK, service.pool);

/** How many requests about these tasks can be compared with a guess. */
async function guessable(...tasks: readonly string[]): Promise<number | null> {
  const { rowCount } = await service.pool.query(
    `select from idempotency_keys where stream = any ($1) and fingerprint ~ '^[0-9a-f]{64}$'`,
    [tasks.map((id) => `task-${id}`)],
  );
  return rowCount;
}

async function succeedAll(queue: QueueHandle, result: unknown): Promise<void> {
  const claimed = await queue.claim({ worker: 'w', max: 10 });
  await service.waybill.settle(
    claimed.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed', result } })),
  );
}

const WAYS: readonly (readonly [string, () => Promise<readonly string[]>])[] = [
  [
    'gathered submissions, one of them under an id of its own',
    async () => {
      const queue = await newQueue({
        duplicatePending: 'gather',
        gather: { quietMs: AN_HOUR, maxMs: A_DAY, payloads: 'all' },
      });
      const { id } = await queue.enqueue({ to: MARK, n: 1 }, { key: MARK, labels: LABELS });
      for (const n of [2, 3]) {
        const more = { key: MARK, labels: LABELS, ...(n === 3 && { idempotencyKey: 'third' }) };
        expect(await queue.enqueue({ to: MARK, n }, more)).toMatchObject({ status: 'gathered', id });
      }
      const own = '019ab000-0000-7000-8000-000000000077';
      expect(await queue.enqueue({ to: MARK, n: 4 }, { id: own, key: MARK, labels: LABELS })).toMatchObject({ id });
      expect(await guessable(id)).toBeGreaterThan(1);
      return [id];
    },
  ],
  [
    'signals, read and unread, and waits',
    async () => {
      const queue = await newQueue();
      const { id } = await queue.enqueue({}, { labels: LABELS });
      const signal = (idempotencyKey: string) =>
        service.waybill.task(id).signal('approved', { to: MARK }, { idempotencyKey });
      await signal('first');
      const [task] = await queue.claim({ worker: 'w' });
      const { taskId, token } = task!;
      const wait = { type: 'wait', signal: 'approved', number: 1, timeoutMs: AN_HOUR } as const;
      await service.waybill.settle([{ taskId, token, verdict: wait }]);
      await signal('second');
      expect(await guessable(id)).toBe(2);
      return [id];
    },
  ],
  [
    'the body of a delivery that came in',
    async () => {
      const queue = await newQueue();
      const task = { queue: queue.name };
      await service.waybill.trigger('shop').define({ delivery: { scheme: 'standard', secret: 'standard' }, task });
      const { body, headers } = signed({ body: JSON.stringify({ to: MARK }) });
      const answer = await fetch(`${service.url}/v1/triggers/shop/deliveries`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      const { task: id } = (await answer.json()) as { readonly task: string };
      await service.waybill.trigger('shop').delete();
      return [id];
    },
  ],
  [
    'limits and turns of its label',
    async () => {
      const queue = await newQueue({
        perLabel: { label: 'customer', maxRunning: 2, rate: { starts: 2, perMs: A_DAY, burst: 2 } },
        fair: { label: 'customer' },
      });
      const receipts = await queue.enqueueMany(
        [1, 2, 3].map((n) => ({ payload: { to: `${MARK}-${n}` }, labels: LABELS })),
      );
      await succeedAll(queue, MARK);
      return receipts.map((receipt) => (receipt as { readonly id: string }).id);
    },
  ],
  [
    'results, and the words of a task that waits for one',
    async () => {
      const queue = await newQueue();
      const first = await queue.enqueue({}, { labels: LABELS });
      const next = await queue.enqueue({}, { labels: LABELS, after: [{ task: first.id }] });
      await succeedAll(queue, { to: MARK });
      const [task] = await queue.claim({ worker: 'w' });
      const { taskId, token } = task!;
      const line = { number: 1, at: new Date().toISOString(), level: 'info' as const, text: `to ${MARK}` };
      await service.waybill.extend([{ taskId, token, log: [line] }]);
      return [first.id, next.id];
    },
  ],
];

describe('after an erasure', () => {
  it.each(WAYS)('H-48 nothing is left of %s', async (_, give) => {
    const ids = await give();
    const before = await tablesWithMark();
    expect(before).not.toEqual([]);
    expect(SAMPLED).toEqual(expect.arrayContaining([...before]));
    // The task of a delivery has no label of the subject.
    const subject = ids.length === 1 ? { task: ids[0]! } : SUBJECT;
    expect(await erased(service.waybill, subject)).toMatchObject({ erased: ids.length, refused: {} });
    expect(await tablesWithMark()).toEqual([]);
    expect(await guessable(...ids)).toBe(0);
    for (const id of ids) {
      const task = service.waybill.task(id);
      const told = [await task.get(), await task.history(), await task.why()];
      expect(JSON.stringify(told)).not.toContain(MARK);
    }
  });

  it('what a label has used up of its rate stays while other tasks have the label', async () => {
    const queue = await newQueue({ perLabel: { label: 'customer', rate: { starts: 2, perMs: A_DAY, burst: 2 } } });
    const labels = { customer: 'heron' };
    const receipts = await queue.enqueueMany([1, 2, 3].map((n) => ({ payload: n, labels })));
    await succeedAll(queue, null);
    const paces = async () => (await service.pool.query('select lane from paces where queue = $1', [queue.name])).rows;
    const before = await paces();
    expect(before).toHaveLength(1);
    const { id } = receipts[0] as { readonly id: string };
    expect(await erased(service.waybill, { task: id })).toMatchObject({ erased: 1 });
    expect(await paces()).toEqual(before);
    expect(await queue.claim({ worker: 'w' })).toEqual([]);
  });
});
