import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BulkOptions, QueueHandle, TaskSelection, Waybill } from '@waybill/client';
import { LINEAGE } from '../../../src/projections/read-models.js';
import { erased } from '../../support/erased.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { erasing } from '../../support/subject-keys.js';
import { tablesWith } from '../../support/tables-with.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

let service: RunningService;
let waybill: Waybill;
beforeAll(async () => {
  service = await startService(erasing());
  ({ waybill } = service);
});
afterAll(() => service.stop());

let queues = 0;
let made = 0;
/** In everything that the subject's tasks are about, and in nothing else. */
let mark = '';
beforeEach(() => {
  mark = `quetzal-${++made}`;
});

const subject = () => ({ label: { name: 'customer', value: mark } });
const about = () => ({ key: mark, reference: mark, labels: { customer: mark } });

async function newQueue(policy: Parameters<QueueHandle['define']>[0] = {}): Promise<QueueHandle> {
  const queue = waybill.queue(`copied-${++queues}`);
  await queue.define({ onFailure: 'fail', ...policy });
  return queue;
}

const tablesWithMark = () => tablesWith(mark, service.pool);

async function succeed(queue: QueueHandle): Promise<void> {
  const claimed = await queue.claim({ worker: 'w', max: 10 });
  await waybill.settle(
    claimed.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed', result: mark } })),
  );
}

/** A queue whose tasks a trigger makes of events of the other. */
async function following(queue: QueueHandle): Promise<QueueHandle> {
  const letters = await newQueue();
  await waybill
    .trigger(letters.name)
    .define({ event: { types: ['TaskSucceeded'], queue: queue.name }, task: { queue: letters.name } });
  return letters;
}

const taskIn = async ({ name: queue }: QueueHandle) => (await waybill.tasks.page({ queue })).items[0] ?? null;

async function ended(selection: TaskSelection, options: BulkOptions = {}): Promise<string> {
  const { id } = await waybill.operate('prioritise', selection, { priority: 7, reason: 'they wait', ...options });
  return until('the operation to end', async () => ((await waybill.operation(id!)).finishedAt === null ? null : id!));
}

describe('after an erasure of a subject', () => {
  it('H-48 nothing of it is in tasks that triggers made of events of its tasks, and of those made of their events', async () => {
    const orders = await newQueue();
    const letters = await following(orders);
    const copies = await following(letters);
    await orders.enqueue({ to: mark }, about());
    await succeed(orders);
    await until('the letter', () => taskIn(letters));
    await succeed(letters);
    await until('the copy', () => taskIn(copies));
    expect(await tablesWithMark()).not.toEqual([]);
    expect(await erased(waybill, subject())).toMatchObject({ erased: 3, refused: {} });
    expect(await tablesWithMark()).toEqual([]);
    expect(await taskIn(letters)).toMatchObject({ state: 'succeeded' });
  });

  it('what triggers made of the tasks of a purge stays, because other queues keep it longer', async () => {
    const orders = await newQueue();
    const letters = await following(orders);
    const { id } = await orders.enqueue({ to: mark }, about());
    await succeed(orders);
    const letter = await until('the letter', () => taskIn(letters));
    const outcome = await erased(waybill, {
      queue: orders.name,
      endedBefore: new Date(Date.now() + 60_000).toISOString(),
    });
    expect(outcome).toMatchObject({ erased: 1 });
    expect(await waybill.task(id).get()).toMatchObject({ payload: null });
    expect((await waybill.task(letter.id).get()).payload).toMatchObject({ event: { data: { key: mark } } });
  });

  it.each<readonly [string, () => Extract<TaskSelection, { readonly filter: unknown }>['filter']]>([
    ['its label', () => ({ label: { name: 'customer', value: mark } })],
    ['a key', () => ({ key: mark })],
    ['a reference', () => ({ reference: mark })],
    ['a search', () => ({ q: `state:pending label.customer:"${mark}"` })],
  ])('H-48 no operation names it by %s', async (_, filter) => {
    const orders = await newQueue();
    await orders.enqueue({ to: mark }, about());
    const operation = await ended({ filter: filter() });
    const other = await ended({ filter: { queue: orders.name } });
    expect(await erased(waybill, subject())).toMatchObject({ erased: 2, refused: {} });
    expect(await tablesWithMark()).toEqual([]);
    expect(await waybill.operation(operation)).toMatchObject({
      command: 'prioritise',
      by: 'anonymous',
      reason: 'they wait',
      order: null,
      expected: 1,
      state: 'succeeded',
    });
    expect((await refusalOf(waybill.undo(operation))).code).toBe('TASK_ERASED');
    expect(await waybill.operation(other)).toMatchObject({ order: { filter: { queue: orders.name } } });
  });

  it('H-48 it ends only once it is known what its tasks led to', async () => {
    const orders = await newQueue();
    const letters = await following(orders);
    const { id } = await orders.enqueue({ to: mark }, about());
    const connection = await service.pool.connect();
    await connection.query('begin');
    await connection.query(`select from projection_checkpoints where name = $1 for update`, [LINEAGE.name]);
    await succeed(orders);
    await until('the letter', () => taskIn(letters));
    const over = erased(waybill, subject());
    await until('the task to be erased', async () => ((await waybill.task(id).get()).payload === null ? true : null));
    await connection.query('rollback');
    connection.release();
    expect(await over).toMatchObject({ erased: 2, refused: {} });
    expect(await tablesWithMark()).toEqual([]);
  });
});
