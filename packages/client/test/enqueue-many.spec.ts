import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { QueuedSubmission } from '@waybill/contracts';
import { createWaybill, type Waybill } from '../src/index.js';
import { chunks } from '../src/submissions.js';
import { problem, StubService, type Received } from './support/stub-service.js';

const ROUTE = 'POST /v1/tasks/batch';

let service: StubService;
let waybill: Waybill;

beforeEach(async () => {
  service = await StubService.start();
  waybill = createWaybill({ url: service.url, retry: { baseMs: 1, attempts: 2 } });
  service.on(ROUTE, ({ body }: Received) => ({
    body: { results: body.tasks.map(({ id }: QueuedSubmission) => ({ id, status: 'enqueued' })), position: '1' },
  }));
});
afterEach(() => service.close());

const sizes = (): number[] => service.requests.map(({ body }) => body.tasks.length);

it('sends at most a thousand tasks per request, and returns outcomes in order', async () => {
  const tasks = Array.from({ length: 2_001 }, (_, i) => ({ id: `id-${i}`, payload: i, key: `k${i}` }));
  const outcomes = await waybill.queue('mail').enqueueMany(tasks);
  expect(sizes()).toEqual([1_000, 1_000, 1]);
  expect(outcomes.map((outcome) => 'id' in outcome && outcome.id)).toEqual(tasks.map(({ id }) => id));
  expect(service.requests[2]!.body.tasks).toEqual([{ id: 'id-2000', payload: 2_000, key: 'k2000', queue: 'mail' }]);
});

it('keeps requests below the limit in bytes, not characters', async () => {
  const payload = '\u20ac'.repeat(100_000);
  await waybill.queue('mail').enqueueMany(Array.from({ length: 7 }, () => ({ payload })));
  expect(sizes()).toEqual([3, 3, 1]);
  for (const { headers } of service.requests) expect(Number(headers['content-length'])).toBeLessThan(1_048_576);
});

it('sends a task that is too large for any request alone, for the service to refuse', () => {
  expect([...chunks(['a', 'x'.repeat(50), 'b', 'c'], 10, 20)]).toEqual([['a'], ['x'.repeat(50)], ['b', 'c']]);
});

it('sends nothing for an empty list', async () => {
  expect(await waybill.queue('mail').enqueueMany([])).toEqual([]);
  expect(service.requests).toEqual([]);
});

it('returns the refusal of one task and the success of the next', async () => {
  const refusal = problem(409, 'REFERENCE_IN_USE').body;
  service.on(ROUTE, { body: { results: [{ problem: refusal }, { id: 'b', status: 'existing' }], position: '1' } });
  const outcomes = await waybill.queue('mail').enqueueMany([{ reference: 'r' }, { id: 'b' }]);
  expect(outcomes).toEqual([{ problem: refusal }, { id: 'b', status: 'existing' }]);
});

it('accepts tasks of several queues', async () => {
  await waybill.enqueueMany([
    { queue: 'a', payload: 1 },
    { queue: 'b', payload: 2 },
  ]);
  expect(service.requests[0]!.body.tasks).toMatchObject([
    { queue: 'a', payload: 1 },
    { queue: 'b', payload: 2 },
  ]);
});

it('repeats a lost request with the same ids', async () => {
  service.on(ROUTE, 'cut', { body: { results: [{}, {}], position: '1' } });
  await waybill.queue('mail').enqueueMany([{ payload: 1 }, { payload: 2 }]);
  const [first, second] = service.requests.map(({ body }) => body);
  expect(first.tasks[0].id).not.toBe(first.tasks[1].id);
  expect(second).toEqual(first);
});

describe('a key that is taken', () => {
  const warnings: string[] = [];
  beforeEach(() => {
    warnings.length = 0;
    const logger = { warn: (_fields: object, message: string) => warnings.push(message) };
    waybill = createWaybill({ url: service.url, logger });
    service.on(ROUTE, ({ body }: Received) => ({
      body: { results: body.tasks.map(() => ({ id: 'waiting', status: 'existing' })), position: '1' },
    }));
    service.on('POST /v1/queues/mail/tasks', {
      body: { id: 'waiting', status: 'existing', position: '1', revision: 1 },
    });
  });

  it('is told once per queue, with the key and the task that waits', async () => {
    await waybill.queue('mail').enqueueMany([{ key: 'ada' }, { key: 'ada' }]);
    await waybill.queue('mail').enqueue({}, { key: 'ada' });
    await waybill.queue('post').enqueueMany([{ key: 'ada' }]);
    expect(warnings).toEqual([
      expect.stringMatching(/^Expected to add a task with key 'ada' to queue 'mail', but task 'waiting' .* waited/),
      expect.stringContaining("queue 'post'"),
    ]);
  });

  it('is told after an enqueue of one task and after a transaction, too', async () => {
    await waybill.queue('mail').enqueue({}, { key: 'ada' });
    service.on('POST /v1/transactions', { body: { results: [{ id: 'waiting' }], position: '1' } });
    await waybill.transaction((tx) => void tx.queue('post').enqueue({}, { key: 'bob' }));
    expect(warnings).toEqual([expect.stringContaining("key 'ada'"), expect.stringContaining("key 'bob'")]);
  });

  it('is not told of a task that was sent twice, of refusals, or without a logger', async () => {
    service.on(ROUTE, {
      body: {
        results: [{ id: 'a', status: 'existing' }, { problem: problem(409, 'REFERENCE_IN_USE').body }],
        position: '1',
      },
    });
    await waybill.queue('mail').enqueueMany([{ id: 'a', key: 'ada' }, { key: 'ada' }]);
    await createWaybill({ url: service.url, logger: null }).queue('mail').enqueue({}, { key: 'ada' });
    expect(warnings).toEqual([]);
  });
});
