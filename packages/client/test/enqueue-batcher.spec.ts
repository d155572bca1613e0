import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { QueuedSubmission } from '@waybill/contracts';
import { createWaybill, WaybillError, WaybillUnavailable, type Waybill } from '../src/index.js';
import { MOST_WAITING } from '../src/waiting.js';
import { deferred } from './support/deferred.js';
import { problem, StubService, type Received, type Reply } from './support/stub-service.js';

const ONE = 'POST /v1/queues/mail/tasks';
const MANY = 'POST /v1/tasks/batch';

let service: StubService;
let waybill: Waybill;

const done = (id: string) => ({ id, status: 'enqueued', position: '1', revision: 0 });

beforeEach(async () => {
  service = await StubService.start();
  waybill = createWaybill({ url: service.url, retry: { baseMs: 1, attempts: 2 } });
  service.on(ONE, ({ body }: Received) => ({ status: 201, body: done(body.id) }));
  service.on(MANY, ({ body }: Received) => ({
    body: { results: body.tasks.map(({ id }: QueuedSubmission) => done(id!)), position: '1' },
  }));
});
afterEach(() => service.close());

const enqueue = (id: string, payload: unknown = id) => waybill.queue('mail').enqueue(payload, { id });
const routes = (): string[] => service.requests.map(({ method, path }) => `${method} ${path}`);

it('sends tasks enqueued in one turn of the event loop together, and answers each caller', async () => {
  const answers = await Promise.all([
    enqueue('a'),
    enqueue('b'),
    waybill.queue('scan').enqueue(3, { id: 'c', key: 'k' }),
  ]);
  expect(answers).toEqual([done('a'), done('b'), done('c')]);
  expect(routes()).toEqual([MANY]);
  expect(service.requests[0]!.body.tasks).toEqual([
    { queue: 'mail', id: 'a', payload: 'a' },
    { queue: 'mail', id: 'b', payload: 'b' },
    { queue: 'scan', id: 'c', payload: 3, key: 'k' },
  ]);
});

it('gathers tasks while two requests are in flight', async () => {
  const held: (() => void)[] = [];
  service.on(
    ONE,
    ({ body }: Received) => new Promise<Reply>((go) => held.push(() => go({ status: 201, body: done(body.id) }))),
  );
  const calls = [enqueue('a')];
  await service.received(ONE);
  calls.push(enqueue('b'));
  await service.received(ONE, 2);
  calls.push(enqueue('c'));
  await new Promise((resolve) => setImmediate(resolve));
  calls.push(enqueue('d'));
  held.forEach((go) => go());
  expect((await Promise.all(calls)).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  expect(routes()).toEqual([ONE, ONE, MANY]);
});

it('refuses a task if too many wait to be sent, and nothing was done', async () => {
  const answer = deferred();
  service.on(MANY, async () => {
    await answer.promise;
    return { body: { results: [], position: '1' } };
  });
  const calls = Array.from({ length: MOST_WAITING + 1_000 }, (_, n) =>
    enqueue(`t${n}`).catch((error: unknown) => error),
  );
  const refused = (await calls.at(-1)) as WaybillUnavailable;
  expect(refused).toBeInstanceOf(WaybillUnavailable);
  expect(refused).toMatchObject({ outcome: 'not-done', request: { input: { body: { id: 't10999' } } } });
  expect(refused.message).toContain('10000 others wait');
  answer.resolve();
});

it('copies the task when it is enqueued', async () => {
  const file = { name: 'a' };
  const calls = [waybill.queue('mail').enqueue(file)];
  file.name = 'b';
  calls.push(waybill.queue('mail').enqueue(file));
  await Promise.all(calls);
  expect(service.requests[0]!.body.tasks).toMatchObject([{ payload: { name: 'a' } }, { payload: { name: 'b' } }]);
});

it('refuses a task that JSON would change, and no other', async () => {
  const calls = [enqueue('a', 2n ** 60n), enqueue('b')];
  await expect(calls[0]).rejects.toThrow(
    "Expected values that JSON carries exactly, but 'payload' is 1152921504606846976n",
  );
  expect(await calls[1]).toEqual(done('b'));
});

it('rejects only the caller of a refused task, and repeats one that is refused for now', async () => {
  const results = [
    { problem: problem(409, 'KEY_ALREADY_WAITING').body },
    done('b'),
    { problem: problem(503, 'CONTENTION').body },
  ];
  service.on(MANY, { body: { results, position: '1' } });
  const [refused, ...others] = await Promise.allSettled([enqueue('a'), enqueue('b'), enqueue('c')]);
  expect(refused).toMatchObject({ reason: expect.any(WaybillError) });
  expect(refused).toMatchObject({ reason: { code: 'KEY_ALREADY_WAITING' } });
  expect(others).toMatchObject([{ value: done('b') }, { value: done('c') }]);
  expect(service.of(ONE).map(({ body }) => body.id)).toEqual(['c']);
});

it.each([
  ['STORE_UNAVAILABLE', 'unknown'],
  ['CONTENTION', 'not-done'],
])('remembers the refusal of a task that it repeats alone: %s leaves its outcome %s', async (code, outcome) => {
  service.on(MANY, { body: { results: [done('a'), { problem: problem(503, code).body }], position: '1' } });
  service.on(ONE, problem(503, 'CONTENTION'));
  const [, repeated] = await Promise.allSettled([enqueue('a'), enqueue('b')]);
  expect(repeated).toMatchObject({ reason: { outcome, request: { input: { body: { id: 'b' } } } } });
});

it('sends each task alone if the whole request was invalid, so that one does not affect the others', async () => {
  service.on(MANY, problem(400, 'INVALID_INPUT'));
  service.on(ONE, problem(400, 'INVALID_INPUT'), { status: 201, body: done('b') });
  const [bad, good] = await Promise.allSettled([enqueue('a'), enqueue('b')]);
  expect(bad).toMatchObject({ reason: { code: 'INVALID_INPUT' } });
  expect(good).toMatchObject({ value: done('b') });
});

it('rejects each caller for its own task if the outcome is unknown', async () => {
  service.on(MANY, 'cut');
  const calls = await Promise.allSettled([enqueue('a'), enqueue('b')]);
  expect(calls).toMatchObject([{ reason: expect.any(WaybillUnavailable) }, { reason: expect.any(WaybillUnavailable) }]);
  expect(calls).toMatchObject(
    ['a', 'b'].map((id) => ({
      reason: {
        outcome: 'unknown',
        request: {
          operation: 'enqueueTask',
          attempts: 2,
          input: { path: { queue: 'mail' }, body: { id, payload: id } },
        },
      },
    })),
  );
});

it('sends a call with options as a separate request', async () => {
  await Promise.all([
    waybill.queue('mail').enqueue(1, { idempotencyKey: 'k1' }),
    waybill.queue('mail').enqueue(2, { signal: new AbortController().signal }),
  ]);
  expect(routes()).toEqual([ONE, ONE]);
});
