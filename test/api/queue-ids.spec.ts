import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWaybill, OPERATIONS, type OperationId, type QueueHandle, WaybillError } from '@waybill/client';
import { createHash } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { SettleTasks } from '../../src/application/claims/settle-tasks.handler.js';
import { queueStream } from '../../src/domain/queue/queue.stream.js';
import { streamKey } from '../../src/infrastructure/database/stream-key.js';
import { CountTasks } from '../../src/projections/tasks/count-tasks.query.js';
import { FindQueueNames } from '../../src/projections/queues/queues.queries.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';
import { fakeApplication, type FakeApplication } from './fake-application.js';

const ID = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';
const TASK = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e50';

type Schema = Readonly<Record<string, any>>;
interface Documented {
  readonly operationId: OperationId;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** The places of a request that name queues, such as the `queue` of a submission. */
function placesIn(schema: Schema, schemas: Readonly<Record<string, Schema>>, path = ''): string[] {
  if (schema.$ref) return placesIn(schemas[schema.$ref.split('/').at(-1)!]!, schemas, path);
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  const among = parts.flatMap((part: Schema) => placesIn(part, schemas, path));
  const inItems = schema.items ? placesIn(schema.items, schemas, `${path}*/`) : [];
  const members = Object.entries<Schema>(schema.properties ?? {}).flatMap(([name, member]) =>
    name === 'queue' || name === 'waitsFor' ? [path + name] : placesIn(member, schemas, `${path}${name}/`),
  );
  return [...new Set([...among, ...inItems, ...members])];
}

/** A request for every place outside of paths. */
const REQUESTS: Readonly<Record<string, (queue: string) => object>> = {
  'listTasks ?queue': (queue) => ({ queue }),
  'listFailureGroups ?queue': (queue) => ({ queue }),
  'getFailureGroup ?queue': (queue) => ({ queue }),
  'listOverlaps ?queue': (queue) => ({ queue }),
  'listActivity ?queue': (queue) => ({ queue }),
  'listChanges ?queue': (queue) => ({ queue, since: '1h' }),
  'sumChanges ?queue': (queue) => ({ queue, since: '1h' }),
  'readEvents ?queue': (queue) => ({ queue, limit: 1 }),
  'exportLog ?queue': (queue) => ({ queue }),
  'followEvents ?queue': (queue) => ({ queue }),
  'runTaskAgain queue': (queue) => ({ queue, reason: 'r' }),
  'startTask queue': (queue) => ({ queue, worker: 'w' }),
  'enqueueTasks tasks/*/queue': (queue) => ({
    tasks: [
      { queue, id: TASK },
      { queue: 'other', id: ID },
    ],
  }),
  'startErasure queue': (queue) => ({ queue, key: 'ann', reason: 'r', preview: true }),
  'startBulkOperation filter/queue': (queue) => ({ command: 'cancel', filter: { queue } }),
  'startBulkOperation again/queue': (queue) => ({
    command: 'runAgain',
    tasks: [TASK],
    again: { queue },
    reason: 'r',
  }),
  'runTransaction commands/*/queue': (queue) => ({ commands: [{ operation: 'pauseQueue', queue }] }),
  'createBatch plan/queue': (queue) => ({ id: TASK, name: 'b', plan: { queue } }),
  'defineTrigger queue': (queue) => ({ queue, task: { queue: 'other' } }),
  'defineTrigger event/queue': (queue) => ({ event: { types: ['TaskFailed'], queue }, task: { queue: 'other' } }),
  'defineTrigger changes/queue': (queue) => ({
    cron: '* * * * *',
    timeZone: 'UTC',
    changes: { queue, to: { webhook: { url: 'https://shop.example.com/x', secret: 'shop' } } },
  }),
  'defineTrigger task/queue': (queue) => ({ cron: '* * * * *', timeZone: 'UTC', task: { queue } }),
  'defineQueue policy/waitsFor': (queue) => ({ policy: { waitsFor: [queue] } }),
  'changePolicy waitsFor': (queue) => ({ waitsFor: [queue] }),
};

describe('the id of a queue in the place of its name', () => {
  let api: FakeApplication;
  let documented: Documented[];
  let schemas: Readonly<Record<string, Schema>>;
  beforeAll(async () => {
    api = await fakeApplication();
    api.queries.answer(FindQueueNames, ({ ids }) => new Map(ids.includes(ID) ? [[ID, 'mail']] : []));
    // An operation is ordered once its tasks are counted.
    api.queries.answer(CountTasks, () => 1);
    // A turn settles before it claims.
    api.commands.answer(SettleTasks, ({ items }) =>
      items.map(() => ({ kind: 'refused', rejection: { code: 'TASK_NOT_FOUND' } })),
    );
    const document = (await api.app.inject('/openapi.json')).json();
    schemas = document.components.schemas;
    documented = Object.values<Record<string, Documented>>(document.paths).flatMap((methods) => Object.values(methods));
  });
  afterAll(() => api.app.close());

  const OF_QUEUES = (Object.keys(OPERATIONS) as OperationId[]).filter((id) => OPERATIONS[id].path.includes('{queue}'));

  /** What reaches the application of a request. */
  async function executed(id: OperationId, queue: string, request?: object): Promise<string> {
    const { method, path } = OPERATIONS[id];
    const url = path
      .replace('{queue}', queue)
      .replace('{group}', 'g000000000000000')
      .replace('{projection}', 'queue-stats')
      .replace(/\{(trigger|hold|resource|view)\}/, 'x')
      .replace('{id}', TASK);
    const isRead = method === 'GET' || method === 'DELETE';
    api.commands.forget();
    api.queries.forget();
    const scanned: object[] = [];
    api.store.scan = async ({ upTo }, _, filter) => (scanned.push(filter), { events: [], reached: upTo });
    await api.app.inject({
      method,
      url,
      headers: { 'x-request-id': 'r', ...IF_MATCH[id] },
      ...(isRead ? { query: { ...QUERIES[id], ...request } } : { payload: request ?? BODIES[id] ?? {} }),
    });
    const reached = [...api.commands.executed, ...api.queries.executed, ...scanned];
    return JSON.stringify(
      reached.filter((message) => !(message instanceof FindQueueNames)),
      byType,
    );
  }

  const IF_MATCH: Partial<Record<OperationId, object>> = { changePolicy: { 'if-match': '"1"' } };
  const QUERIES: Partial<Record<OperationId, Record<string, string>>> = {
    diffPolicyVersions: { fromVersion: '1', toVersion: '2' },
    getQueueWaits: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
  };
  const BODIES: Partial<Record<OperationId, object>> = {
    claimTasks: { worker: 'w', claimId: TASK },
    takeTurn: { worker: 'w', claimId: TASK, items: [{ taskId: TASK, token: '1.a', verdict: { type: 'succeed' } }] },
    enqueueTask: { id: TASK },
    changePolicy: { kinds: ['a'] },
    setLimit: { label: 'a', maxRunning: 1 },
    unsetLimit: { label: 'a' },
  };

  // The sums of waits ask the log for a moment first, which this application has none of.
  it.each(OF_QUEUES.filter((id) => id !== 'getQueueWaits'))('counts in the path of %s', async (id) => {
    const byName = await executed(id, 'mail');
    expect(byName).toContain('mail');
    expect(await executed(id, ID)).toBe(byName);
    expect(await executed(id, ID.toUpperCase())).toBe(byName);
  });

  it('is tried in every place', () => {
    const places = documented.flatMap(({ operationId, parameters = [], requestBody }) => [
      ...parameters.filter((one) => one.in === 'query' && one.name === 'queue').map(() => `${operationId} ?queue`),
      ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
        placesIn(schema, schemas).map((place) => `${operationId} ${place}`),
      ),
    ]);
    expect(Object.keys(REQUESTS).sort()).toEqual([...new Set(places)].sort());
  });

  // These read the log, which no query does, or ask for its seal first, which this application has none of.
  const OF_THE_LOG = /Events|Activity|exportLog/;
  it.each(Object.entries(REQUESTS).filter(([place]) => !OF_THE_LOG.test(place)))(
    'counts at %s',
    async (place, request) => {
      const id = place.split(' ')[0] as OperationId;
      const byName = await executed(id, 'own', request('mail'));
      expect(byName).toContain('mail');
      expect(await executed(id, 'own', request(ID))).toBe(byName);
    },
  );

  it('is refused in a path if no queue has it, whatever the operation', async () => {
    for (const id of OF_QUEUES) {
      const { method, path } = OPERATIONS[id];
      const isRead = method === 'GET' || method === 'DELETE';
      const answer = await api.app.inject({
        method,
        url: path.replace('{queue}', TASK),
        headers: { ...IF_MATCH[id] },
        ...(isRead ? { query: QUERIES[id] ?? {} } : { payload: BODIES[id] ?? {} }),
      });
      const { code, detail } = answer.json();
      expect([id, answer.statusCode, code, detail]).toEqual([
        id,
        404,
        'QUEUE_NOT_FOUND',
        expect.stringContaining(TASK),
      ]);
    }
  });
});

/** Functions say nothing, and positions are no JSON. */
const byType = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

describe('a queue found by its id', () => {
  const KEY = { name: 'one', sha256: createHash('sha256').update('wb_one').digest('hex') };
  let service: RunningService;
  let id: string;
  let queue: QueueHandle;
  beforeAll(async () => {
    service = await startService();
    await service.waybill.queue('mail').define();
    ({ id } = await service.waybill.queue('mail').get());
    queue = service.waybill.queue(id);
  });
  afterAll(() => service.stop());

  it('takes tasks, gives them out, and tells of them', async () => {
    const { id: task } = await queue.enqueue('a');
    const [claimed] = await queue.claim({ worker: 'w', waitMs: 30_000 });
    expect([claimed!.taskId, claimed!.queue]).toEqual([task, 'mail']);
    const [settled] = await service.waybill.settle([
      { taskId: task, token: claimed!.token, verdict: { type: 'succeed' } },
    ]);
    const { position: minPosition } = settled as { position: string };
    expect(await queue.stats({ minPosition })).toMatchObject({ queue: 'mail', counts: { succeeded: 1 } });
    expect((await service.waybill.tasks.page({ queue: id })).items.map((one) => one.id)).toEqual([task]);
    const types: string[] = [];
    for await (const { type } of service.waybill.events({ queue: id, category: 'queue' })) types.push(type);
    expect(types).toEqual(['QueueDefined']);
    const { items } = await service.waybill.activityPage({ queue: id });
    expect(items.map((one) => one.type)).toEqual(['QueueDefined']);
  });

  it('takes tasks through the outbox', async () => {
    const { rows } = await service.pool.query<{ id: string }>(`select waybill.enqueue($1) as id`, [id]);
    const task = service.waybill.task(rows[0]!.id);
    const found = await until('the task of the outbox', () => task.get().catch(() => null));
    expect(found).toMatchObject({ queue: 'mail', state: 'pending' });
  });

  it('is worked on by a worker that names it so', async () => {
    const done: string[] = [];
    const worker = service.waybill
      .worker({ logger: null, waitMs: 1_000 })
      .handle(id, (task) => void done.push(task.queue));
    await worker.start();
    await until('the tasks of the queue to be done', async () => (done.length > 0 ? true : null));
    await worker.stop();
    expect(new Set(done)).toEqual(new Set(['mail']));
  });

  it('is what a key with its id or its name reaches', async () => {
    const scoped = await startService({ apiKeys: [{ ...KEY, may: [`enqueue:${id}`, 'operate'] }] });
    const waybill = createWaybill({ url: scoped.url, apiKey: 'wb_one' });
    await waybill.queue('mail').define();
    await waybill.queue('other').define();
    expect(await waybill.queue('mail').enqueue('by name')).toMatchObject({ status: 'enqueued' });
    expect(await waybill.queue(id).enqueue('by id')).toMatchObject({ status: 'enqueued' });
    await expect(waybill.queue('other').enqueue('no')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await scoped.stop();
  });

  it('is no second name of its events', async () => {
    const { rows } = await service.pool.query<{ name: string | null }>(`select name from queues where id = $1`, [id]);
    expect(rows).toEqual([{ name: 'mail' }]);
    expect(streamKey(queueStream(id))).not.toEqual(expect.objectContaining({ id }));
  });

  it('is not defined under a UUID', async () => {
    const name = uuidv7();
    for (const call of [
      () => service.waybill.queue(name).define(),
      () => service.waybill.queue(name).enqueue('a'),
      () => service.waybill.enqueueMany([{ queue: name }]).then(([one]) => Promise.reject((one as any).problem)),
      () => service.waybill.queue(name).claim({ worker: 'w' }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND' });
  });
});

describe('a claim from a queue that does not exist', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('is refused at once, also if it would wait, until somebody defines the queue', async () => {
    const queue = service.waybill.queue('later');
    await expect(queue.claim({ worker: 'w', waitMs: 60_000 })).rejects.toMatchObject({
      code: 'QUEUE_NOT_FOUND',
      status: 404,
    });
    await queue.define();
    const { id } = await queue.enqueue('a');
    expect((await queue.claim({ worker: 'w' }))[0]!.taskId).toBe(id);
  });

  it('is refused for a deleted queue', async () => {
    const queue = service.waybill.queue('gone');
    await queue.define();
    await queue.delete();
    await expect(queue.claim({ worker: 'w' })).rejects.toBeInstanceOf(WaybillError);
  });

  it('is told to the log of a worker once, which begins as soon as somebody defines the queue', async () => {
    const warnings: string[] = [];
    const queue = service.waybill.queue('misspelt');
    const done: unknown[] = [];
    const worker = service.waybill
      .worker({ logger: { warn: (_fields, words) => warnings.push(words) } })
      .handle(queue, (task) => void done.push(task.payload));
    await worker.start();
    await until('the worker to say that there is no such queue', async () => (warnings.length > 0 ? true : null));
    await queue.define();
    await queue.enqueue('a');
    await until('the task to be done', async () => (done.length > 0 ? true : null));
    await worker.stop();
    expect(warnings).toEqual([expect.stringMatching(/Expected to claim.*'misspelt'/)]);
  });
});
