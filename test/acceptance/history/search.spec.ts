import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, QueueHandle, TaskFilter } from '@waybill/client';
import { createWaybill } from '@waybill/client';
import { createHash } from 'node:crypto';
import { type ApiKey, PERMISSIONS } from '../../../src/api/access/api-keys.js';
import { Memory } from '../../support/history/remembered.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

const keyOf = (name: string, may: ApiKey['may']): ApiKey => ({
  name,
  may,
  sha256: createHash('sha256').update(`wb_${name}`).digest('hex'),
});
const KEYS = [keyOf('boss', [...PERMISSIONS]), keyOf('mailer', ['read:mail', 'operate:mail'])];

let service: RunningService;
let [mail, print]: QueueHandle[] = [];
/** The tasks by the names that the tests give them. */
const ids: Record<string, string> = {};
let batch: string;

beforeAll(async () => {
  service = await startService();
  mail = service.waybill.queue('mail');
  print = service.waybill.queue('print');
  for (const queue of [mail, print]) await queue.define({ retry: { maxAttempts: 1, classes: [] } });
  const opened = await service.waybill.createBatch({ name: 'nightly', labels: { run: '7' } });
  batch = opened.id;
  const { id: letter } = await mail.enqueue(1, {
    reference: 'inv-4711',
    kind: 'letter',
    labels: { customer: 'acme', region: 'eu' },
  });
  const { id: card } = await mail.enqueue(2, {
    reference: 'inv-4799',
    kind: 'card',
    key: 'k%1',
    description: 'A Card of 100%',
  });
  const { id: sheet } = await print.enqueue(3, { reference: 'inv-4712', labels: { customer: 'acme' }, key: 'kx1' });
  Object.assign(ids, { letter, card, sheet });
  await fail(await claim(mail, 'w1', 'build-41'), 'connect ETIMEDOUT to db-3', 'transient');
  await service.as('ann').task(card).hold({ reason: 'later' });
  ids['part'] = (await print.enqueue(4, { batch })).id;
  await opened.open(1);
});
afterAll(() => service.stop());

const claim = async (queue: QueueHandle, worker: string, build: string): Promise<ClaimedTask> =>
  (await queue.claim({ worker, build, waitMs: 10_000 }))[0]!;

const fail = ({ taskId, token }: ClaimedTask, message: string, errorClass: 'transient') =>
  service.waybill.settle([{ taskId, token, verdict: { type: 'fail', error: { message, class: errorClass } } }]);

/** The names of the tasks that match. */
const found = (q: string, more: TaskFilter = {}): Promise<string[]> =>
  namesOf(service.waybill.tasks.list({ q, ...more }));

async function foundAsOfNow(q: string): Promise<string[]> {
  const now = await new Memory(service.url).head();
  return namesOf(service.waybill.asOf(now).tasks({ q }));
}

async function namesOf(tasks: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
  const names: string[] = [];
  for await (const { id } of tasks) names.push(Object.keys(ids).find((name) => ids[name] === id) ?? id);
  return names.sort();
}

const tail = (name: string): string => ids[name]!.slice(-8);

describe('a search', () => {
  it('finds tasks by whole ids and by their last 8 characters', async () => {
    expect(await found(`id:${ids['letter']}`)).toEqual(['letter']);
    expect(await found(`id:${tail('letter')},${ids['sheet']}`)).toEqual(['letter', 'sheet']);
    expect(await found(`id:${tail('letter')} queue:print`)).toEqual([]);
    expect(await found(`id:00000000`)).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['reference:inv-4711', ['letter']],
    ['reference:inv-47*', ['card', 'letter', 'sheet']],
    ['reference:inv-47* queue:mail', ['card', 'letter']],
    ['reference:inv-471*,inv-4799', ['card', 'letter', 'sheet']],
    ['reference:"inv-47*"', []],
    ['key:k%*', ['card']],
    ['key:k*', ['card', 'sheet']],
    ['key:kx1,none', ['sheet']],
    ['state:failed', ['letter']],
    ['state:failed,held', ['card', 'letter']],
    ['state:pending', ['part', 'sheet']],
    ['state:pending,held,failed', ['card', 'letter', 'part', 'sheet']],
    ['state:succeeded queue:mail', []],
    ['queue:mail kind:letter', ['letter']],
    ['queue:mail kind:c*', ['card']],
    ['queue:mail,print kind:task', ['part', 'sheet']],
    ['label.customer:acme', ['letter', 'sheet']],
    ['label.customer:acme label.region:eu,us', ['letter']],
    ['queue:mail worker:w1', ['letter']],
    ['queue:mail worker:w2', []],
    ['error:etimedout', ['letter']],
    ['error:transient', ['letter']],
    ['error:"to db-3" queue:mail', ['letter']],
    ['error:etimedout error:refused', []],
    ['error:etimedout,refused', ['letter']],
    ['error:etimedout state:held', []],
    ['since:1h', ['card', 'letter', 'part', 'sheet']],
    ['since:1h until:2000-01-01', []],
    ['since:2100-01-01', []],
    ['since:2000-01-01 queue:mail', ['card', 'letter']],
    ['queue:mail until:1h', []],
    ['queue:mail ended>1h', ['letter']],
    ['queue:mail ended<1h', []],
    ['state:failed ended>1h', ['letter']],
    ['actor:ann', ['card']],
    ['actor:ann,bob since:1h', ['card']],
    ['actor:ann queue:print', []],
    ['build:build-41', ['letter']],
    ['build:build-42', []],
    ['actor:ann build:build-41', []],
    ['queue:mail 100%', ['card']],
    ['queue:mail "card of"', ['card']],
    ['queue:mail 4711', ['letter']],
    ['queue:mail db-3', ['letter']],
    ['queue:mail K%', ['card']],
    ['queue:mail db-3 card', []],
    ['queue:mail db-3,card', ['card', 'letter']],
    ['queue:nowhere kind:x', []],
  ])('%s finds %j', async (q, names) => {
    expect(await found(q)).toEqual(names);
    expect(await foundAsOfNow(q)).toEqual(names);
  });

  it('finds the tasks of a batch, and matches beside the other fields', async () => {
    expect(await found(`batch:${batch}`)).toEqual(['part']);
    expect(await found('label.customer:acme', { queue: 'print' })).toEqual(['sheet']);
    expect(await found('state:failed', { state: 'held' })).toEqual([]);
  });

  it.each([
    ['state:faild', "at character 7, but got 'faild'"],
    ['kind:letter', 'beside kind, but there is none, so every task would be read'],
    ['letter', 'beside word, but there is none'],
    ['worker:w1 until:1h', 'beside worker, enqueued, but there is none'],
    ['state:succeeded', 'beside state, but there is none'],
    ['ended>1h', 'beside ended, but there is none'],
  ])('refuses %s with what is wrong or missing, in lists and operations alike', async (q, detail) => {
    const list = await refusalOf(service.waybill.tasks.page({ q }));
    const operation = await refusalOf(service.waybill.operate('retry', { filter: { q } }));
    expect([list, operation].map(({ code, status }) => [code, status])).toEqual([
      ['INVALID_INPUT', 400],
      ['INVALID_INPUT', 400],
    ]);
    expect(list.problem).toMatchObject({ errors: [{ pointer: '#/query/q', detail: expect.stringContaining(detail) }] });
    expect(operation.problem).toMatchObject({
      errors: [{ pointer: '/filter/q', detail: expect.stringContaining(detail) }],
    });
  });

  it('looks at a bounded number of tasks for each page, and finds what comes late', async () => {
    await service.waybill.queue('archive').define();
    await service.pool.query(
      `insert into tasks (task_id, queue, state, kind, labels, priority, enqueued_at, finished_at, attempt, seq, position, revision)
       select lpad(to_hex(n), 32, '0')::uuid, 'archive', 'succeeded', case n when 40500 then 'last' else 'old' end, '{"many": "x"}', 0, now(), now(), 1, 0, 0, 2
       from generate_series(1, 40500) n`,
    );
    const last = '00000000-0000-0000-0000-000000009e34';
    for (const q of ['queue:archive kind:last', 'label.many:x kind:last', 'queue:archive,mail kind:last']) {
      const first = await service.waybill.tasks.page({ q });
      const second = await service.waybill.tasks.page({ q }, { cursor: first.nextCursor! });
      expect([first.items, second.items]).toEqual([[], []]);
      const third = await service.waybill.tasks.page({ q }, { cursor: second.nextCursor! });
      expect([third.items.map(({ id }) => id), third.nextCursor]).toEqual([[last], null]);
    }
    expect(await found(`id:00009e34`)).toEqual([last]);
    await service.pool.query(`delete from tasks where queue = 'archive'`);
  });

  it('is what an operation takes, with its times as of the order', async () => {
    const { id, count } = await service.waybill.operate(
      'prioritise',
      { filter: { q: 'reference:inv-47* since:1h' } },
      { priority: 7 },
    );
    expect(count).toBe(3);
    const { result, payload } = await endOf(id!);
    expect(result).toMatchObject({ asked: 3 });
    const { filter } = payload as { filter: { q: string } };
    expect(filter.q).toMatch(/^reference:inv-47\* enqueued>\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect((await service.waybill.task(ids['sheet']!).get()).priority).toBe(7);
    expect((await service.waybill.task(ids['part']!).get()).priority).toBe(0);
  });

  it('takes the id of a queue for its name', async () => {
    const { id } = await mail!.get();
    expect(await found(`queue:${id} reference:inv-47*`)).toEqual(['card', 'letter']);
    expect(await found(`queue:${id},print reference:inv-47*`)).toEqual(['card', 'letter', 'sheet']);
  });

  it('goes on from page to page without gaps or repetitions, in the order of the list', async () => {
    const listed = async (q: string, limit: number): Promise<string[]> => {
      const all: string[] = [];
      for await (const { id } of service.waybill.tasks.list({ q }, { limit })) all.push(id);
      return all;
    };
    for (const q of ['since:1h', 'queue:mail,print since:1h', 'queue:mail ended>1h', 'state:failed error:etimedout']) {
      const all = await listed(q, 500);
      expect(await listed(q, 1)).toEqual(all);
      expect(all).toEqual([...all].sort());
    }
  });
});

async function endOf(id: string) {
  return until('the operation to end', async () => {
    const task = await service.waybill.task(id).get();
    return task.finishedAt === null ? null : task;
  });
}

describe('a search with a key for some queues', () => {
  let limited: RunningService;
  beforeAll(async () => {
    limited = await startService({ apiKeys: KEYS });
    for (const queue of ['mail', 'print']) {
      await as('boss').queue(queue).define();
      await as('boss').queue(queue).enqueue(1, { reference: 'inv-1' });
    }
  });
  afterAll(() => limited.stop());

  const as = (name: string) => createWaybill({ url: limited.url, apiKey: `wb_${name}` });

  it('finds nothing outside of them', async () => {
    const queuesOf = async (filter: TaskFilter): Promise<string[]> =>
      (await as('mailer').tasks.page(filter)).items.map(({ queue }) => queue);
    expect(await queuesOf({ q: 'queue:mail inv' })).toEqual(['mail']);
    expect(await queuesOf({ q: 'inv', queue: 'mail' })).toEqual(['mail']);
    for (const filter of [
      { q: 'reference:inv-1' },
      { q: 'queue:mail,print inv' },
      { q: 'queue:print inv', queue: 'mail' },
    ])
      expect((await refusalOf(as('mailer').tasks.page(filter))).code).toBe('FORBIDDEN');
  });
});
