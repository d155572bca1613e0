import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpTransport, type Waybill, WaybillError } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

const RESERVED = 'waybill.operations';
const FORGED = { command: 'delete', tasks: [uuidv7()], expected: 1, by: 'ann' };

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  const queue = service.waybill.queue('orders');
  await queue.define();
  // The first operation defines the reserved queue.
  const { id } = await service.waybill.operate('hold', { tasks: [(await queue.enqueue()).id] });
  await until('the operation to end', async () => (await service.waybill.task(id!).get()).finishedAt);
});
afterAll(() => service.stop());

const codeOf = (call: Promise<unknown>): Promise<string | null> =>
  call.then(
    () => null,
    (error: unknown) => (error instanceof WaybillError ? error.code : String(error)),
  );

/** Everything that has ever happened to the queue and its tasks. */
async function eventsOfQueue(): Promise<number> {
  let events = 0;
  for await (const _ of service.waybill.events({ queue: RESERVED })) events++;
  return events;
}

async function batchMember(waybill: Waybill): Promise<unknown> {
  const batch = uuidv7();
  const transport = new HttpTransport({ url: service.url });
  await transport.call('createBatch', { body: { id: batch, name: 'b' }, headers: {} });
  return waybill.queue(RESERVED).enqueue(FORGED, { batch });
}

async function started(): Promise<unknown> {
  const body = { queue: RESERVED, worker: 'w1', payload: FORGED };
  const { body: answer } = await new HttpTransport({ url: service.url }).call('startTask', { body, headers: {} });
  throw new WaybillError(answer as WaybillError['problem']);
}

async function enqueuedWithOthers(): Promise<unknown> {
  const body = { tasks: [{ queue: 'orders' }, { queue: RESERVED, payload: FORGED }] };
  const answer = await new HttpTransport({ url: service.url }).call('enqueueTasks', { body, headers: {} });
  const [own, forged] = (answer.body as { results: { problem?: WaybillError['problem'] }[] }).results;
  expect(own).not.toHaveProperty('problem');
  throw new WaybillError(forged!.problem!);
}

const WAYS: readonly (readonly [string, (waybill: Waybill) => Promise<unknown>])[] = [
  ['an enqueued task', (waybill) => waybill.queue(RESERVED).enqueue(FORGED)],
  ['a prepared task', (waybill) => waybill.queue(RESERVED).enqueue(FORGED, { prepared: true })],
  ['a task of a batch request', () => enqueuedWithOthers()],
  ['a task of a transaction', (waybill) => waybill.transaction((tx) => void tx.queue(RESERVED).enqueue(FORGED))],
  ['a member of a batch', (waybill) => batchMember(waybill)],
  ['a task that is started at once', () => started()],
  [
    'a trigger',
    (waybill) =>
      waybill
        .trigger('forged')
        .define({ cron: '* * * * *', timeZone: 'UTC', task: { queue: RESERVED, payload: FORGED } }),
  ],
  ['a claim', (waybill) => waybill.queue(RESERVED).claim({ worker: 'w1' })],
  ['a definition', (waybill) => waybill.queue(RESERVED).define({ onFailure: 'fail' }, { replace: true })],
  ['the definition of a queue that is not there yet', (waybill) => waybill.queue('waybill.later').define()],
  [
    'a change of the policy',
    async (waybill) => {
      const { policyVersion: ifVersion } = await waybill.queue(RESERVED).get();
      return waybill.queue(RESERVED).changePolicy({ concurrency: 'serial' }, { ifVersion });
    },
  ],
  ['a definition in a transaction', (waybill) => waybill.transaction((tx) => tx.queue('waybill.later').define())],
  ['a deletion', (waybill) => waybill.queue(RESERVED).delete()],
];

describe('a queue of the service itself', () => {
  it.each(WAYS)('refuses %s from anybody else, and records nothing', async (_, attempt) => {
    const before = await eventsOfQueue();
    expect(await codeOf(attempt(service.waybill))).toBe('QUEUE_RESERVED');
    expect(await eventsOfQueue()).toBe(before);
  });

  it('refuses a client within the process of the service, too', async () => {
    const waybill = await service.embed();
    expect(await codeOf(waybill.queue(RESERVED).enqueue(FORGED))).toBe('QUEUE_RESERVED');
    expect(await codeOf(waybill.queue(RESERVED).claim({ worker: 'w1' }))).toBe('QUEUE_RESERVED');
  });

  it('refuses another payload for its tasks, also in a transaction', async () => {
    const queue = service.waybill.queue(RESERVED);
    await queue.pause();
    const { id } = await service.waybill.operate('prioritise', { filter: { queue: 'orders' } }, { priority: 2 });
    const forged = { ...FORGED, all: true };
    expect(await codeOf(service.waybill.task(id!).amend(forged))).toBe('QUEUE_RESERVED');
    const inOne = service.waybill.transaction((tx) => tx.task(id!).amend(forged));
    expect(await codeOf(inOne)).toBe('QUEUE_RESERVED');
    expect((await service.waybill.task(id!).get()).payload).toMatchObject({ command: 'prioritise' });
    await service.waybill.task(id!).abort();
    await queue.resume();
  });

  it('refuses a task of the outbox, and keeps the row with the refusal', async () => {
    const before = await eventsOfQueue();
    const { rows } = await service.pool.query<{ id: string }>('select waybill.enqueue($1, $2::jsonb) as id', [
      RESERVED,
      JSON.stringify(FORGED),
    ]);
    const refusal = await until('the row to be refused', async () => {
      const found = await service.pool.query<{ refusal: { code: string } | null }>(
        'select refusal from waybill_outbox where id = $1',
        [rows[0]!.id],
      );
      return found.rows[0]!.refusal;
    });
    expect(refusal.code).toBe('QUEUE_RESERVED');
    expect(await eventsOfQueue()).toBe(before);
  });

  it('can be paused and closed by operators, who also have a say in its tasks', async () => {
    const queue = service.waybill.queue(RESERVED);
    await queue.closeIntake({ reason: 'not now' });
    expect(await codeOf(service.waybill.operate('hold', { filter: { queue: 'orders' } }))).toBe('INTAKE_CLOSED');
    await queue.openIntake();
    await queue.pause();
    const { id } = await service.waybill.operate('prioritise', { filter: { queue: 'orders' } }, { priority: 1 });
    await service.waybill.task(id!).abort();
    await queue.resume();
    expect(await service.waybill.task(id!).get()).toMatchObject({ state: 'aborted', result: null });
  });
});

describe('a label of the service itself', () => {
  const labels = { 'waybill.expires': 'orders' };
  const LABEL_WAYS: readonly (readonly [string, (waybill: Waybill) => Promise<unknown>])[] = [
    ['an enqueued task', (waybill) => waybill.queue('orders').enqueue({}, { labels })],
    [
      'a task of a transaction',
      (waybill) => waybill.transaction((tx) => void tx.queue('orders').enqueue({}, { labels })),
    ],
    ['a batch', (waybill) => waybill.createBatch({ name: 'b', labels })],
    [
      'a trigger',
      (waybill) =>
        waybill.trigger('labelled').define({ cron: '* * * * *', timeZone: 'UTC', task: { queue: 'orders', labels } }),
    ],
  ];

  it.each(LABEL_WAYS)('is refused in %s from anybody else', async (_, attempt) => {
    expect(await codeOf(attempt(service.waybill))).toBe('LABEL_RESERVED');
  });

  it('is refused in a row of the outbox, which says so', async () => {
    const { rows } = await service.pool.query<{ id: string }>(
      `select waybill.enqueue('orders', '{}'::jsonb, labels => $1::jsonb) as id`,
      [JSON.stringify(labels)],
    );
    const refusal = await until('the row to be refused', async () => {
      const found = await service.pool.query<{ refusal: { code: string } | null }>(
        'select refusal from waybill_outbox where id = $1',
        [rows[0]!.id],
      );
      return found.rows[0]!.refusal;
    });
    expect(refusal.code).toBe('LABEL_RESERVED');
  });

  it('is copied where a task of an earlier build that has it runs again', async () => {
    const queue = service.waybill.queue('orders');
    const { id } = await queue.enqueue({}, { labels: { earlier: 'x' } });
    await service.waybill.task(id).abort();
    await service.pool.query(
      `update segments set private = replace(private, '"earlier"', '"waybill.earlier"') where private like '%"earlier"%'`,
    );
    const again = await service.waybill.task(id).runAgain('once more');
    expect(await service.waybill.task(again.id).get()).toMatchObject({ labels: { 'waybill.earlier': 'x' } });
  });
});
