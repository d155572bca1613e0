import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWaybill, type Waybill, type WaybillError } from '@waybill/client';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ApiKey, PERMISSIONS } from '../../src/api/access/api-keys.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

const keyOf = (name: string, may: ApiKey['may']): ApiKey => ({
  name,
  may,
  sha256: createHash('sha256').update(`wb_${name}`).digest('hex'),
});

const KEYS = [
  keyOf('boss', [...PERMISSIONS]),
  keyOf('mailer', ['read:mail', 'enqueue:mail', 'work:mail', 'operate:mail', 'operate:sms']),
  keyOf('reader', ['read', 'enqueue:mail']),
];

let service: RunningService;
let own: string;
let other: string;
const as = (name: string): Waybill => createWaybill({ url: service.url, apiKey: `wb_${name}` });

beforeAll(async () => {
  service = await startService({ apiKeys: KEYS });
  await as('boss').queue('mail').define();
  await as('boss').queue('other').define();
  own = (await as('boss').queue('mail').enqueue('hello')).id;
  other = (await as('boss').queue('other').enqueue('secret')).id;
});
afterAll(() => service.stop());

const refusalOf = (call: Promise<unknown>): Promise<WaybillError> =>
  call.then(
    (answer) => Promise.reject(new Error(`Expected a refusal, but got ${JSON.stringify(answer)}`)),
    (error: WaybillError) => error,
  );

describe('a key for one queue', () => {
  it('does there what it may', async () => {
    const waybill = as('mailer');
    const { id } = await waybill.queue('mail').enqueue('own');
    const [first] = await waybill.queue('mail').claim({ worker: 'w1', max: 1 });
    await waybill.settle([{ taskId: first!.taskId, token: first!.token, verdict: { type: 'succeed', result: null } }]);
    await waybill.task(id).prioritise(3);
    await waybill.transaction((tx) => void tx.queue('mail').enqueue('in one'));
    expect((await waybill.task(id).get()).priority).toBe(3);
    expect((await waybill.tasks.page({ queue: 'mail' })).items.map((task) => task.id)).toContain(id);
    for await (const { stream } of waybill.events({ queue: 'mail' })) expect(stream).not.toContain(other);
  });

  it('reaches no other queue by any operation', async () => {
    const batch = (await as('boss').planBatch({ name: 'b' }).create()).id;
    const reached = await outcomes(batch);
    expect(reached.filter(([, code]) => !['FORBIDDEN', 'TASK_NOT_FOUND'].includes(code))).toEqual([]);
    expect(reached.length).toBeGreaterThanOrEqual(60);
    expect((await as('boss').task(other).get()).state).toBe('pending');
  });

  it('lets a queue wait for none that the key does not operate', async () => {
    const mail = as('mailer').queue('mail');
    await as('mailer')
      .queue('sms')
      .define({ waitsFor: ['mail'] });
    const refused = [
      as('mailer')
        .queue('sms')
        .define({ waitsFor: ['other'] }, { replace: true }),
      mail.changePolicy({ waitsFor: ['no-such-queue'] }, { ifVersion: 0 }),
      as('mailer').transaction((tx) => tx.queue('sms').define({ waitsFor: ['other'] })),
    ];
    for (const call of refused) expect((await refusalOf(call)).code).toBe('FORBIDDEN');
    expect((await mail.get()).policy.waitsFor).toEqual([]);
  });

  it('says in the refusal what the key is for', async () => {
    const { code, status, detail } = await refusalOf(as('mailer').queue('other').get());
    expect({ code, status, detail }).toEqual({
      code: 'FORBIDDEN',
      status: 403,
      detail:
        "Expected an API key with the permission 'read' for queue 'other', but that of 'mailer' has it for 'mail'",
    });
    const { detail: ofAll } = await refusalOf(as('mailer').tasks.page({}));
    expect(ofAll).toBe(
      "Expected an API key with the permission 'read' for all queues, because the request may reach any, but that of 'mailer' has it for 'mail'",
    );
  });

  it('commands many tasks there, and no others', async () => {
    const waybill = as('mailer');
    for (const selection of [{ all: true }, { tasks: [own] }, { filter: { state: 'pending' } }] as const) {
      expect((await refusalOf(waybill.operate('abort', selection, { preview: true }))).code).toBe('FORBIDDEN');
    }
    const { id: meant } = await waybill.queue('mail').enqueue('meant');
    const { id } = await waybill.operate('prioritise', { filter: { queue: 'mail' } }, { priority: 9 });
    await until('the operation to end', async () => (await as('boss').task(id!).get()).finishedAt);
    const last = (await as('boss').task(meant).history()).at(-1)!;
    expect(last).toMatchObject({ type: 'TaskReprioritised', envelope: { actor: 'mailer', correlationId: id } });
    expect((await as('boss').task(other).get()).priority).toBe(0);
  });

  it('runs a task of it again nowhere else', async () => {
    const { id } = await as('boss').queue('mail').enqueue('ended');
    await as('boss').task(id).abort();
    const task = as('mailer').task(id);
    expect((await refusalOf(task.runAgain('r', { queue: 'other' }))).code).toBe('FORBIDDEN');
    const elsewhere = { reason: 'r', again: { queue: 'other' } };
    const many = as('mailer').operate('runAgain', { filter: { queue: 'mail' } }, elsewhere);
    expect((await refusalOf(many)).code).toBe('FORBIDDEN');
    expect(
      (
        await as('mailer')
          .task((await task.runAgain('r')).id)
          .get()
      ).rerunOf,
    ).toBe(id);
  });

  it('may have one permission for all queues and another for one', async () => {
    expect((await as('reader').task(other).get()).payload).toBe('secret');
    expect((await refusalOf(as('reader').queue('other').enqueue(1))).code).toBe('FORBIDDEN');
    expect((await refusalOf(as('mailer').queue('sms').enqueue(1))).code).toBe('FORBIDDEN');
  });

  it('is told of a task that does not exist what others are told', async () => {
    const nobody = '019a0000-0000-7000-8000-000000000000';
    expect((await refusalOf(as('mailer').task(nobody).cancel())).code).toBe('TASK_NOT_FOUND');
  });

  it.each([
    ['a batch', (waybill: Waybill) => waybill.enqueueMany([{ queue: 'mail' }, { queue: 'other' }])],
    [
      'a transaction, with the place of the command',
      (waybill: Waybill) =>
        waybill.transaction((tx) => {
          tx.queue('mail').enqueue(1);
          tx.task(other).cancel();
        }),
    ],
  ])('changes nothing by %s that also reaches another queue', async (_, call) => {
    const before = (await as('boss').queue('mail').stats()).counts.pending;
    const { code, data } = await refusalOf(call(as('mailer')));
    expect(code).toBe(_ === 'a batch' ? 'FORBIDDEN' : 'TASK_NOT_FOUND');
    expect(data).toEqual(_ === 'a batch' ? {} : { index: 1 });
    expect((await as('boss').queue('mail').stats()).counts.pending).toBe(before);
    expect((await as('boss').task(own).get()).id).toBe(own);
  });
});

const BODIES: Readonly<Record<string, object>> = {
  claimTasks: { worker: 'w1', claimId: '019a0000-0000-7000-8000-000000000001' },
  takeTurn: {
    worker: 'w1',
    claimId: '019a0000-0000-7000-8000-000000000001',
    items: [
      {
        taskId: '019a0000-0000-7000-8000-000000000003',
        token: '1.019a0000-0000-7000-8000-000000000003',
        verdict: { type: 'succeed' },
      },
    ],
  },
  startTask: { queue: 'other', worker: 'w1' },
  enqueueTasks: { tasks: [{ queue: 'other' }] },
  createBatch: { name: 'b' },
  prioritiseTask: { priority: 1 },
  rescheduleTask: { dueAt: null },
  decideTask: { decision: 'retry' },
  amendTask: { payload: 1 },
  signalTask: { signal: 'approved' },
  setLimit: { label: 'customer', maxRunning: 1 },
  unsetLimit: { label: 'customer' },
  annotateTask: { data: { a: 1 } },
  arrangeTask: { add: [], waive: ['019a0000-0000-7000-8000-000000000002'] },
  runTaskAgain: { reason: 'x' },
  replayTrigger: { from: 'beginning' },
  rebuildProjection: { mode: 'diff' },
  startErasure: { label: 'customer:acme', reason: 'x' },
  acceptLoss: { size: 1, reason: 'x' },
  retireLogKey: { log: 'waybill/a', reason: 'x' },
  overruleTask: { verdict: 'succeed', reason: 'x' },
  openBatch: { tasks: 0 },
  placeHold: { labels: { a: 'b' } },
  measureResource: { value: 1 },
  defineTrigger: { cron: '* * * * *', timeZone: 'UTC', task: { queue: 'other' } },
  startDelivery: { mail: { to: ['ann@example.com'], subject: 's', text: 't' } },
  startBulkOperation: { command: 'abort', filter: { queue: 'other' } },
  runTransaction: { commands: [{ operation: 'enqueueTask', queue: 'other', body: {} }] },
  previewCommand: { operation: 'pauseQueue', on: 'other' },
};

const QUERIES: Readonly<Record<string, string>> = {
  diffPolicyVersions: '?fromVersion=1&toVersion=2',
  getQueueWaits: '?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z',
  listChanges: '?since=1h&queue=other',
  sumChanges: '?since=1h&queue=other',
};

/** These prove by a token that the task was claimed with a key for its queue, or are for everybody. */
const NOT_BY_QUEUE =
  /^(succeed|fail|return|completeStep|reportError|confirmCancel|cancelRun|settle|extend|checkLeases|recordData|waitTask|takeDelivery)|^(isLive|isReady|readMetrics|whoAmI|followChanges|suggestTerms)$/;

/** What every operation answers to the key for `mail` that asks for the queue `other`. */
async function outcomes(batch: string): Promise<[id: string, code: string][]> {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({ path, method, operationId })),
  );
  const asked = operations.filter(({ operationId }) => !NOT_BY_QUEUE.test(operationId));
  return Promise.all(
    asked.map(async ({ path, method, operationId }) => {
      const id = path.includes('/batches/') ? batch : other;
      const url =
        service.url +
        path
          .replace('{queue}', 'other')
          .replace('{id}', id)
          .replace('{trigger}', 'nightly')
          .replace('{hold}', 'maps')
          .replace('{view}', 'late')
          .replace('{group}', 'g000000000000000')
          .replace('{projection}', 'queue-stats')
          .replace('{resource}', 'disk') +
        (QUERIES[operationId] ?? '');
      const response = await fetch(url, {
        method: method.toUpperCase(),
        headers: {
          authorization: 'Bearer wb_mailer',
          'content-type': 'application/json',
          ...(operationId === 'changePolicy' && { 'if-match': '"1"' }),
        },
        ...(['post', 'put'].includes(method) && { body: JSON.stringify(BODIES[operationId] ?? {}) }),
        signal: AbortSignal.timeout(120_000),
      });
      const { code } = (await response.json().catch(() => ({}))) as { code?: string };
      return [operationId, code ?? String(response.status)] as [string, string];
    }),
  );
}

/** What a request names by id, besides what its path identifies: as `operation place`. */
function idsInRequests(): string[] {
  const { paths, components } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, Described>>;
    components: { schemas: Record<string, Schema> };
  };
  const idsIn = (schema: Schema, at: string): string[] => [
    ...(schema.format === 'uuid' ? [at] : []),
    ...(schema.$ref ? idsIn(components.schemas[schema.$ref.split('/').at(-1)!]!, at) : []),
    ...[...(schema.allOf ?? []), ...(schema.anyOf ?? [])].flatMap((one) => idsIn(one, at)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => idsIn(one, `${at}.${name}`)),
    ...(schema.items ? idsIn(schema.items, `${at}[]`) : []),
  ];
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, requestBody, parameters = [] }) => {
      const body = requestBody?.content['application/json']?.schema;
      const queries = parameters.filter((one) => one.in === 'query');
      return [
        ...(body ? idsIn(body, '') : []),
        ...queries.flatMap(({ name, schema }) => idsIn(schema, `?${name}`)),
      ].map((place) => `${operationId} ${place}`);
    }),
  );
}

interface Schema {
  readonly format?: string;
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

interface Described {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[];
}

/** Ids that are only for keys for all queues, that a token proves, that are new, or that are noted and not looked up. */
const NOTHING_TO_REACH: readonly string[] = [
  'createBatch .id',
  'startDelivery .id',
  'startErasure .task',
  'getErasureCertificate ?after',
  'resolveFailureGroup .operation',
  'fireTrigger .id',
  'claimTasks .claimId',
  'enqueueTask .context',
  'enqueueTasks .tasks[].context',
  'startTask .context',
  'extendLeases .items[].taskId',
  'checkLeases .items[].taskId',
  'settleTasks .items[].taskId',
  'takeTurn .claimId',
  'takeTurn .items[].taskId',
  // The filter of `readEvents`.
  'followEvents ?task',
];

type Send = (method: string, path: string, body?: object) => Promise<{ status: number; body: unknown }>;

/** What the key for `mail` is answered if a request about `mail` names an id of something else. */
const NAMING: Readonly<
  Record<string, (send: Send, ids: Record<'task' | 'batch' | 'own', string>) => ReturnType<Send>>
> = {
  'enqueueTask .id': (send, { task }) => send('POST', 'queues/mail/tasks', { id: task }),
  'enqueueTask .batch': (send, { batch }) => send('POST', 'queues/mail/tasks', { batch }),
  'enqueueTask .after[].task': (send, { task }) => send('POST', 'queues/mail/tasks', { after: [{ task }] }),
  'enqueueTask .after[].batch': (send, { batch }) => send('POST', 'queues/mail/tasks', { after: [{ batch }] }),
  'enqueueTasks .tasks[].id': (send, { task }) => send('POST', 'tasks/batch', { tasks: [{ queue: 'mail', id: task }] }),
  'enqueueTasks .tasks[].batch': (send, { batch }) =>
    send('POST', 'tasks/batch', { tasks: [{ queue: 'mail' }, { queue: 'mail', batch }] }),
  'enqueueTasks .tasks[].after[].task': (send, { task }) =>
    send('POST', 'tasks/batch', { tasks: [{ queue: 'mail', after: [{ task }] }] }),
  'enqueueTasks .tasks[].after[].batch': (send, { batch }) =>
    send('POST', 'tasks/batch', { tasks: [{ queue: 'mail', after: [{ batch }] }] }),
  'startTask .id': (send, { task }) => send('POST', 'tasks/start', { queue: 'mail', worker: 'w1', id: task }),
  'arrangeTask .add[].task': (send, { task, own }) => send('POST', `tasks/${own}/prerequisites`, { add: [{ task }] }),
  'arrangeTask .add[].batch': (send, { batch, own }) =>
    send('POST', `tasks/${own}/prerequisites`, { add: [{ batch }] }),
  'arrangeTask .waive[]': (send, { task, own }) => send('POST', `tasks/${own}/prerequisites`, { waive: [task] }),
  'listTasks ?batch': (send, { batch }) => send('GET', `tasks?queue=mail&batch=${batch}`),
  'listChanges ?batch': (send, { batch }) => send('GET', `changes?queue=mail&since=1h&batch=${batch}`),
  'startBulkOperation .filter.batch': (send, { batch }) =>
    send('POST', 'operations', { command: 'abort', filter: { queue: 'mail', batch }, preview: true }),
  'startBulkOperation .tasks[]': (send, { task }) =>
    send('POST', 'operations', { command: 'abort', tasks: [task], preview: true }),
  'readEvents ?task': (send, { task }) => send('GET', `events?queue=mail&task=${task}`),
  'runTransaction .commands[].id': (send, { task }) =>
    send('POST', 'transactions', { commands: [{ operation: 'cancelTask', id: task }] }),
};

/** What a request says that names what is not there. */
const NO_TASK = [422, { code: 'PREREQUISITE_NOT_FOUND' }] as const;
const NO_BATCH = [404, { code: 'BATCH_NOT_FOUND' }] as const;

/** What such requests do. All others are refused, because they may reach anything. */
const ANSWERS: Readonly<Record<string, readonly [status: number, body: object]>> = {
  'arrangeTask .waive[]': [200, { recorded: false }],
  'listTasks ?batch': [200, { items: [] }],
  'listChanges ?batch': [200, { items: [] }],
  'startBulkOperation .filter.batch': [200, { count: 0 }],
  'readEvents ?task': [404, { code: 'TASK_NOT_FOUND' }],
  'enqueueTask .batch': NO_BATCH,
  'enqueueTask .after[].task': NO_TASK,
  'enqueueTask .after[].batch': NO_TASK,
  'enqueueTasks .tasks[].batch': [200, { results: [{}, { problem: NO_BATCH[1] }] }],
  'enqueueTasks .tasks[].after[].task': [200, { results: [{ problem: NO_TASK[1] }] }],
  'enqueueTasks .tasks[].after[].batch': [200, { results: [{ problem: NO_TASK[1] }] }],
  'arrangeTask .add[].task': NO_TASK,
  'arrangeTask .add[].batch': NO_TASK,
  'runTransaction .commands[].id': [404, { code: 'TASK_NOT_FOUND' }],
  'enqueueTask .id': [409, { code: 'TASK_EXISTS' }],
  'startTask .id': [409, { code: 'TASK_EXISTS' }],
  'enqueueTasks .tasks[].id': [200, { results: [{ problem: { code: 'TASK_EXISTS' } }] }],
};

describe('what changed, for a key for one queue', () => {
  const since = '1h';

  it('is what changed in it, and how many others did', async () => {
    const [mine, all] = [await as('mailer').changesPage({ since }), await as('boss').changesPage({ since })];
    expect(mine.items).toEqual(all.items.filter(({ queue }) => queue === 'mail'));
    expect(mine.items.length).toBeGreaterThan(0);
    expect([mine.hidden, all.hidden]).toEqual([all.items.length - mine.items.length, 0]);
    expect(mine.hidden).toBeGreaterThan(0);
    expect(JSON.stringify(mine)).not.toMatch(new RegExp(`other|${other}`));
  });

  it('is summed up in the same way', async () => {
    const [mine, all] = [await as('mailer').changesSum({ since }), await as('boss').changesSum({ since })];
    expect(mine.moves).toEqual(all.moves!.filter(({ queue }) => queue === 'mail'));
    const others = all.moves!.filter(({ queue }) => queue !== 'mail').map(({ tasks }) => tasks);
    expect([mine.hidden, all.hidden]).toEqual([others.reduce((sum, tasks) => sum + tasks, 0), 0]);
    expect(mine.hidden).toBeGreaterThan(0);
  });

  it('has nothing of a batch outside of it, not even a number', async () => {
    const batch = await as('boss').planBatch({ name: 'salaries' }).create();
    await as('boss').queue('other').enqueue('secret', { batch: batch.id });
    expect(await as('mailer').changesPage({ since, batch: batch.id })).toMatchObject({ items: [], hidden: 0 });
    expect(await as('boss').changesPage({ since, batch: batch.id })).toMatchObject({ items: [{ queue: 'other' }] });
  });
});

describe('what a key for one queue names by id', () => {
  const send: Send = async (method, path, body) => {
    const response = await fetch(`${service.url}/v1/${path}`, {
      method,
      headers: { authorization: 'Bearer wb_mailer', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(120_000),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? { events: '' } : (JSON.parse(text) as unknown) };
  };

  it('is decided for every id of every request', () => {
    expect([...Object.keys(NAMING), ...NOTHING_TO_REACH].sort()).toEqual(idsInRequests().sort());
  });

  it.each(Object.keys(NAMING))('is within its queue: %s', async (place) => {
    const boss = as('boss');
    const { id: mine } = await as('mailer').queue('mail').enqueue('mine');
    const { id: batch } = await boss.planBatch({ name: 'salaries' }).create();
    const { status, body } = await NAMING[place]!(send, { task: other, batch, own: mine });
    const [expected, content] = ANSWERS[place] ?? [403, { code: 'FORBIDDEN' }];
    expect([place, status, body]).toMatchObject([place, expected, content]);
    expect(JSON.stringify(body)).not.toMatch(/salaries|secret/);
  });

  it('may be a batch that a task of its queue plans', async () => {
    const { id } = await as('boss').createBatch({ name: 'planned', plan: { queue: 'mail' } });
    expect((await send('POST', 'queues/mail/tasks', { batch: id })).status).toBe(201);
    const { id: foreign } = await as('boss').createBatch({ name: 'planned', plan: { queue: 'other' } });
    expect((await send('POST', 'queues/mail/tasks', { batch: foreign })).status).toBe(404);
  });

  it('may be tasks of the same request', async () => {
    const [first, second] = ['019a0000-0000-7000-8000-00000000000a', '019a0000-0000-7000-8000-00000000000b'];
    const tasks = [
      { queue: 'mail', id: first },
      { queue: 'mail', id: second, after: [{ task: first }] },
    ];
    expect((await send('POST', 'tasks/batch', { tasks })).body).toMatchObject({
      results: [{ id: first }, { id: second }],
    });
  });

  it('shows what others have joined to its tasks by the state alone', async () => {
    const boss = as('boss');
    const { id: mine } = await boss.queue('mail').enqueue('mine');
    const { id: needed } = await boss.queue('other').enqueue('secret', { reference: 'salary of ann' });
    const { id: batch } = await boss.planBatch({ name: 'salaries' }).create();
    await boss.task(mine).arrange({ add: [{ task: needed }, { batch }] });
    const graph = await as('mailer').task(mine).graph();
    expect(graph.nodes.filter(({ id }) => id !== mine)).toMatchObject([
      { id: expect.stringMatching(/^hidden:/), queue: null },
      { id: expect.stringMatching(/^hidden:/), queue: null },
    ]);
    expect(graph.edges).toHaveLength(2);
    expect(JSON.stringify(graph)).not.toMatch(new RegExp(`salar|other|${needed}|${batch}`));
    expect(JSON.stringify(await boss.task(mine).graph())).toContain('salary of ann');
  });
});
