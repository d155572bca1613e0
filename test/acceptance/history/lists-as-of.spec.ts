import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, EventView, QueueHandle } from '@waybill/client';
import { ONLY_PRESENT } from '../../support/only-present.js';
import { Memory, type Remembered } from '../../support/history/remembered.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

let service: RunningService;
let memory: Memory;
beforeAll(async () => {
  service = await startService();
  memory = new Memory(service.url);
});
afterAll(() => service.stop());

async function get(path: string): Promise<unknown> {
  const answer = await fetch(`${service.url}${path}`);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json();
}

async function defined(name: string): Promise<QueueHandle> {
  const queue = service.waybill.queue(name);
  await queue.define({ retry: { maxAttempts: 1, classes: [] } });
  return queue;
}

const claim = async (queue: QueueHandle): Promise<ClaimedTask> =>
  (await queue.claim({ worker: 'w1', waitMs: 10_000 }))[0]!;

describe('a batch as of a moment', () => {
  const settle = ({ taskId, token }: ClaimedTask, isGood: boolean) =>
    service.waybill.settle([
      {
        taskId,
        token,
        verdict: isGood ? { type: 'succeed' } : { type: 'fail', error: { message: 'no', class: 'business' } },
      },
    ]);

  it('H-01 is what it was, with the counts of its tasks, its reports and its place in the list', async () => {
    const queue = await defined('parts');
    const batch = await service.waybill.createBatch({ name: 'nightly', labels: { run: '7' } });
    const paths = [
      ...['', '/tally', '/reports'].map((path) => `/v1/batches/${batch.id}${path}`),
      ...['', '?state=running', '?state=failed'].map((query) => `/v1/batches${query}`),
    ];
    const seen = [await memory.remember(paths)];
    const see = async () => seen.push(await memory.remember(paths));
    for (const payload of [1, 2, 3]) await queue.enqueue(payload, { batch: batch.id });
    await see();
    await batch.open(3);
    await see();
    const claimed = [await claim(queue), await claim(queue), await claim(queue)];
    await see();
    await settle(claimed[0]!, true);
    await settle(claimed[1]!, false);
    await see();
    await settle(claimed[2]!, true);
    await until('the batch to fail', async () => (await batch.get()).state === 'failed' || null);
    await see();
    await service.waybill.task(claimed[1]!.taskId).retry();
    await see();
    await settle(await claim(queue), true);
    await until('the batch to be completed', async () => (await batch.get()).state === 'completed' || null);
    await see();
    // Answers about the past offer no commands.
    await memory.expectAgain(seen, ['commands']);
    const states = seen.map(({ answers }) => answers[0]!['state']);
    expect(states).toEqual([
      'planning',
      'planning',
      'running',
      'running',
      'running',
      'failed',
      expect.anything(),
      'completed',
    ]);
  });

  it('H-04 was not there before it was created', async () => {
    const { position } = await (await defined('before')).pause();
    const batch = await service.waybill.createBatch({ name: 'later' });
    const absent = await refusalOf(service.waybill.asOf(position).batch(batch.id).get());
    expect(absent).toMatchObject({ code: 'BATCH_NOT_FOUND', problem: { existsFrom: { at: expect.any(String) } } });
    const listed = await service.waybill.asOf(position).batchPage();
    expect(listed.items.map(({ id }) => id)).not.toContain(batch.id);
  });
});

describe('lists as of a moment', () => {
  it('H-05 have what there was, as it was', async () => {
    const { waybill } = service;
    const paths = ['queues', 'queues?internal=false', 'triggers', 'holds', 'resources'].map((path) => `/v1/${path}`);
    const untold = ['holds', 'next', 'state', 'needs', 'measuredBy', 'measuredAt', 'words'];
    const seen: Remembered[] = [];
    const see = async () => seen.push(await memory.remember(paths));
    await see();
    const letters = await defined('letters');
    await (await defined('second')).pause({ reason: 'disk full' });
    await waybill.trigger('yearly').define({ cron: '0 0 1 1 *', timeZone: 'UTC', task: { queue: 'letters' } });
    await waybill.holds.place('rights', { collection: '7' });
    await waybill.holds.place('shelf', { shelf: 'a' });
    await waybill.resources.define('disk', { unit: '%' });
    await see();
    await letters.changePolicy({ leaseMs: 90_000 }, { ifVersion: 1 });
    await waybill.trigger('yearly').disable();
    await waybill.holds.lift('rights');
    await see();
    await waybill.queue('second').delete();
    await waybill.trigger('yearly').delete();
    await waybill.resources.delete('disk');
    await waybill.holds.lift('shelf');
    await see();
    await memory.expectAgain(seen, untold);
    const names = seen.map(({ answers }) =>
      (answers[3] as { items: { name: string }[] }).items.map(({ name }) => name),
    );
    expect(names).toEqual([[], ['rights', 'shelf'], ['shelf'], []]);
  });

  it('H-02 go on with the next page at the position of the first, whatever is recorded meanwhile', async () => {
    const { waybill } = service;
    for (const name of ['p1', 'p2', 'p3']) await waybill.holds.place(name, { page: name });
    const position = await memory.head();
    const first = await waybill.asOf(position).holds.page({ limit: 1 });
    await waybill.holds.lift('p2');
    await waybill.holds.place('p4', { page: 'p4' });
    const later = new Date(Date.now() - 1).toISOString();
    const rest = await waybill.asOf(later).holds.page({ cursor: first.nextCursor! });
    expect([first, rest].flatMap(({ items }) => items.map(({ name }) => name))).toEqual(['p1', 'p2', 'p3']);
    expect(rest).toMatchObject({ nextCursor: null, asOf: { position } });
  });

  it('H-04 refuse a cursor of another list, and one of the present', async () => {
    const { waybill } = service;
    await waybill.resources.define('r1', {});
    await waybill.resources.define('r2', {});
    const position = await memory.head();
    const { nextCursor: cursor } = await waybill.asOf(position).resources.page({ limit: 1 });
    const refused = async (path: string) => (await fetch(`${service.url}${path}`)).status;
    expect(await refused(`/v1/holds?asOf=${position}&cursor=${cursor}`)).toBe(400);
    expect(await refused(`/v1/resources?cursor=${cursor}`)).toBe(400);
    const { nextCursor: now } = (await get('/v1/resources?limit=1')) as { nextCursor: string };
    expect(await refused(`/v1/resources?asOf=${position}&cursor=${now}`)).toBe(400);
  });
});

describe('readings that are only about the present', () => {
  it.each(Object.entries(ONLY_PRESENT))('H-04 %s refuses a moment, and says why', async (path, reason) => {
    const id = path.includes('{id}') ? (await (await defined('shown')).enqueue('a')).id : '';
    const answer = await fetch(
      `${service.url}${path.replace('{id}', id).replace('{group}', 'g000000000000000').replace(/{\w+}/, 'shown')}?asOf=1`,
    );
    const { errors } = (await answer.json()) as { errors: { detail: string }[] };
    expect([answer.status, errors[0]!.detail]).toEqual([400, `Expected no 'asOf', because ${reason}`]);
  });
});

describe('the history of a task as of a moment', () => {
  it('H-01 ends with the last event at or before it', async () => {
    const { id } = await (await defined('told')).enqueue('a');
    await service.waybill.task(id).prioritise(3);
    await service.waybill.task(id).hold();
    const events: EventView[] = [...(await service.waybill.task(id).history())];
    for (const [at, { position }] of events.entries()) {
      const { items, asOf } = await service.waybill.asOf(position).task(id).history();
      expect(items).toEqual(events.slice(0, at + 1));
      expect(asOf).toMatchObject({ position });
    }
  });
});
