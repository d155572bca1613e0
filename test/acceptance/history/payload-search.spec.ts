import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PolicyChanges, QueueHandle, TaskFilter } from '@waybill/client';
import { taskRow } from '../../../src/projections/kernel/rows/task-row.js';
import { erased } from '../../support/erased.js';
import { isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

let service: RunningService;
let [orders, plain]: QueueHandle[] = [];

beforeAll(async () => {
  service = await startService();
  orders = service.waybill.queue('orders');
  plain = service.waybill.queue('plain');
  await orders.define({ search: ['customer', 'order.id'] });
  await plain.define();
});
afterAll(() => service.stop());

async function found(q: string, more: TaskFilter = {}): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of service.waybill.tasks.list({ q, ...more })) ids.push(id);
  return ids;
}

const detailOf = async (q: string): Promise<unknown> => {
  const { code, problem } = await refusalOf(service.waybill.tasks.page({ q }));
  return [code, (problem as unknown as { errors: { detail: string }[] }).errors[0]!.detail];
};

/** A new version of the policy. */
async function change(name: string, changes: PolicyChanges): Promise<void> {
  const queue = service.waybill.queue(name);
  const { policyVersion } = await queue.get();
  await queue.changePolicy(changes, { ifVersion: policyVersion });
}

async function termsOf(id: string, table = 'tasks'): Promise<unknown> {
  const terms = `select payload_terms as terms from ${table} where task_id = $1`;
  return (await service.pool.query<{ terms: unknown }>(terms, [id])).rows[0]!.terms;
}

/** Its row as a rebuild makes it of the events that there are. */
async function foldedRow(id: string) {
  const events = await service.waybill.task(id).history();
  return taskRow(
    id,
    events.map(({ type, version, data, ...recorded }) => ({ ...recorded, event: { type, version, data } as never })),
  );
}

describe('a search by payloads', () => {
  it('finds the tasks of a queue by the values at the paths of its policy', async () => {
    const acme = await orders!.enqueue({ customer: 'acme', order: { id: 4711 }, secret: 'x' });
    const held = await orders!.enqueue({ customer: 'acme', order: { id: 12 } }, { hold: {} });
    const other = await orders!.enqueue(
      { customer: 'A, B "C"', order: { id: '4711' } },
      { key: 'k', dueAt: '2100-01-01T00:00:00Z' },
    );
    const without = await orders!.enqueue({ order: {} });
    expect(await found('payload.customer:acme')).toEqual([acme.id, held.id]);
    expect(await found('payload.order.id:4711 queue:orders')).toEqual([acme.id, other.id]);
    expect(await found('payload.order.id:4711,12 payload.customer:acme')).toEqual([acme.id, held.id]);
    expect(await found('payload.customer:"A, B \\"C\\""')).toEqual([other.id]);
    expect(await found('payload.customer:acme state:held')).toEqual([held.id]);
    expect(await found('payload.customer:Acme')).toEqual([]);
    expect(await termsOf(without.id)).toBeNull();
    expect(await termsOf(acme.id)).toEqual({ customer: 'acme', 'order.id': '4711' });
  });

  it('finds what an amended payload has, and not what it had', async () => {
    const { id } = await orders!.enqueue({ customer: 'before' });
    await service.waybill.task(id).amend({ customer: 'after' });
    expect(await found('payload.customer:before')).toEqual([]);
    expect(await found('payload.customer:after')).toEqual([id]);
    await service.waybill.task(id).amend('nothing');
    expect(await found('payload.customer:after')).toEqual([]);
  });

  it('keeps nothing of the tasks of other queues', async () => {
    const { id } = await plain!.enqueue({ customer: 'acme' });
    expect(await termsOf(id)).toBeNull();
    const history = await service.waybill.task(id).history();
    expect(history[0]!.data).not.toHaveProperty('searchPaths');
  });

  it.each([
    [
      'payload.colour:red',
      "Expected a queue whose policy has 'colour' in 'search' beside payload.colour, but there is none",
    ],
    ['payload.customer:acme queue:plain', "but 'plain' has not"],
    ['payload.customer:acme queue:orders,plain', "but 'plain' has not"],
    [`payload.customer:${'x'.repeat(201)}`, 'Expected at most 200 characters at character 18'],
  ])('refuses %s with what is missing', async (q, detail) => {
    expect(await detailOf(q)).toEqual(['INVALID_INPUT', expect.stringContaining(detail)]);
  });

  it('says from when a queue is searched by a path that it did not have from the beginning', async () => {
    const late = service.waybill.queue('late');
    await late.define();
    const early = await late.enqueue({ place: 'x' });
    await change('late', { search: ['place'] });
    const after = await late.enqueue({ place: 'x' });
    const since = (await late.versions().next()).value!.at;
    for (const q of ['payload.place:x', 'payload.place:x queue:late since:1d', 'payload.place:x until:now'])
      expect(await detailOf(q)).toEqual(['INVALID_INPUT', expect.stringContaining(`Expected since:${since} or later`)]);
    expect(await found(`payload.place:x since:${since}`)).toEqual([after.id]);
    await change('late', { leaseMs: 20_000 });
    expect(await found(`payload.place:x since:${since} queue:late`)).toEqual([after.id]);
    expect(early.id).not.toBe(after.id);
  });

  it('is a filter of operations', async () => {
    const { id } = await orders!.enqueue({ customer: 'many' });
    const operation = await service.waybill.operate(
      'prioritise',
      { filter: { q: 'payload.customer:many' } },
      { priority: 9 },
    );
    expect(operation.count).toBe(1);
    await until('the task to be prioritised', async () =>
      (await service.waybill.task(id).get()).priority === 9 ? true : null,
    );
    expect((await service.waybill.task(id).get()).priority).toBe(9);
  });

  it('finds nothing of an erased payload, in the lists and in the archive, also once the rows are built anew', async () => {
    const letters = service.waybill.queue('letters');
    await letters.define({ search: ['name'] });
    const [open, archived] = [await letters.enqueue({ name: 'ann' }), await letters.enqueue({ name: 'ann' })];
    await service.waybill.task(open.id).amend({ name: 'ann', since: 2026 });
    await service.pool.query(
      `with gone as (delete from tasks where task_id = $1 returning *) insert into tasks_archive select now(), gone.* from gone`,
      [archived.id],
    );
    for (const { id } of [open, archived]) await erase(id);
    const left = isElsewhere ? { name: 'ann' } : null;
    expect(await termsOf(open.id)).toEqual(left);
    expect(await termsOf(archived.id, 'known_tasks')).toEqual(left);
    expect(await found('payload.name:ann')).toEqual(isElsewhere ? [open.id] : []);
    const row = await foldedRow(open.id);
    expect(row?.payload_terms).toBe(left && JSON.stringify(left));
  });
});

/** Where the events are here. Elsewhere, nothing is erased. */
async function erase(task: string): Promise<void> {
  const erasing = erased(service.waybill, { task });
  if (isElsewhere) expect((await refusalOf(erasing)).code).toBe('ERASURE_NOT_POSSIBLE');
  else expect(await erasing).toMatchObject({ erased: 1 });
}
