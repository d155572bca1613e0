import { createWaybill, type Waybill } from '@waybill/client';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { uuidv7 } from 'uuidv7';
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
  keyOf('mailer', ['read:mail', 'enqueue:mail', 'work:mail', 'operate:mail']),
  keyOf('itemist', ['read:items']),
];

/** What exists outside of the queue of the key, by the parameter of a path, beside what does not. */
interface Foreign {
  readonly tasks: readonly string[];
  readonly batches: readonly string[];
  readonly queues: readonly string[];
  readonly names: readonly string[];
  /** Of failures. */
  readonly groups: readonly string[];
}

let service: RunningService;
let foreign: Foreign;
/** Never told to the key. */
const SECRETS = /other|salar|secret|ann@|w-other/;
const as = (name: string): Waybill => createWaybill({ url: service.url, apiKey: `wb_${name}` });

beforeAll(async () => {
  service = await startService({ apiKeys: KEYS });
  const boss = as('boss');
  await boss.queue('mail').define();
  const { id: queue } = await boss.queue('other').define();
  const other = boss.queue('other');
  const { id: pending } = await other.enqueue('secret', { reference: 'salary of ann', key: 'k' });
  const { taskId: running } = await other.start({ payload: 'secret', worker: 'w-other' });
  const { id: failed } = await other.enqueue('secret', { kind: 'salaries' });
  await boss.task(failed).cancel();
  const faulty = await other.start({ payload: 'secret', worker: 'w-other' });
  const error = { message: 'the salaries are secret' };
  await boss.settle([{ taskId: faulty.taskId, token: faulty.token, verdict: { type: 'fail', error } }]);
  const batches = [
    (await boss.planBatch({ name: 'salaries' }).create()).id,
    (await boss.createBatch({ name: 'salaries', plan: { queue: 'other' } })).id,
  ];
  await boss.trigger('exists').define({ cron: '0 0 1 1 *', timeZone: 'UTC', task: { queue: 'other' } });
  await boss.holds.place('exists', { a: 'b' });
  await boss.resources.define('exists');
  await boss.resources.measure('exists', 1);
  const groups = await until('the failure to have a group', async () => {
    for await (const { id } of boss.failures.list()) return [id];
    return null;
  });
  foreign = { groups, tasks: [pending, running, failed], batches, queues: [queue, 'other'], names: ['exists'] };
});
afterAll(() => service.stop());

interface Described {
  readonly operationId: string;
}

const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};
/** All operations whose path names something. Read models are nobody's, and a delivery comes without an API key: `inbound-deliveries.spec`. */
const ROUTES = Object.entries(paths).flatMap(([path, methods]) =>
  path.includes('{') && !path.includes('{projection}') && !path.endsWith('/deliveries')
    ? Object.entries(methods).map(([method, { operationId }]) => ({ path, method: method.toUpperCase(), operationId }))
    : [],
);

const TOKEN = { token: '1.019a0000-0000-7000-8000-000000000000' };
const TASK = { task: { queue: 'mail' } };

/** Bodies that are valid, so that an operation gets as far as to look for what it is about. */
const BODIES: Readonly<Record<string, object>> = {
  claimTasks: { worker: 'w1' },
  takeTurn: {
    worker: 'w1',
    items: [
      {
        taskId: '019a0000-0000-7000-8000-000000000001',
        token: '1.019a0000-0000-7000-8000-000000000000',
        verdict: { type: 'succeed' },
      },
    ],
  },
  prioritiseTask: { priority: 1 },
  rescheduleTask: { dueAt: null },
  decideTask: { decision: 'retry' },
  amendTask: { payload: 1 },
  signalTask: { signal: 'approved' },
  setLimit: { label: 'customer', maxRunning: 1 },
  unsetLimit: { label: 'customer' },
  annotateTask: { data: { a: 1 } },
  arrangeTask: { add: [{ task: '019a0000-0000-7000-8000-000000000002' }] },
  runTaskAgain: { reason: 'x' },
  replayTrigger: { from: 'beginning' },
  rebuildProjection: { mode: 'diff' },
  overruleTask: { verdict: 'succeed', reason: 'x' },
  openBatch: { tasks: 0 },
  placeHold: { labels: { a: 'b' } },
  measureResource: { value: 1 },
  defineTrigger: { cron: '* * * * *', timeZone: 'UTC', ...TASK },
  extendLease: TOKEN,
  succeedTask: TOKEN,
  failTask: { ...TOKEN, error: { class: 'bug', message: 'x' } },
  returnTask: TOKEN,
  waitTask: { ...TOKEN, signal: 'approved', number: 1, timeoutMs: 60_000 },
  completeStep: { ...TOKEN, step: 'a', then: 'continue' },
  recordData: { ...TOKEN, data: { a: 1 } },
  reportError: { ...TOKEN, error: { class: 'bug', message: 'x' } },
  confirmCancel: TOKEN,
  cancelRun: TOKEN,
};

/** Queries that are valid, for the same reason. */
const QUERIES: Readonly<Record<string, string>> = {
  diffPolicyVersions: '?fromVersion=1&toVersion=2',
  getQueueWaits: '?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z',
  listChanges: '?since=1h',
  sumChanges: '?since=1h',
};

/** The answer to the key for `mail`, without what differs between any two requests. `named`: what the request names. */
async function answerTo(
  method: string,
  path: string,
  body: object | undefined,
  named: readonly string[],
): Promise<{ status: number }> {
  const response = await fetch(service.url + path, {
    method,
    headers: { authorization: 'Bearer wb_mailer', 'content-type': 'application/json', 'if-match': '"1"' },
    ...(method !== 'GET' && method !== 'DELETE' && { body: JSON.stringify(body ?? {}) }),
    signal: AbortSignal.timeout(120_000),
  });
  // A feed that begins goes on without end.
  if (response.ok && path.includes('stream'))
    return { status: response.status, body: await response.body!.cancel() } as never;
  let text = await response.text();
  for (const one of named) text = text.replaceAll(one, 'NAMED');
  const { traceId: _, position: __, ...answer } = JSON.parse(text || '{}') as Record<string, unknown>;
  return { status: response.status, ...answer };
}

const placeIn = (path: string): [of: keyof Foreign, parameter: string, absent: string] => {
  if (path.includes('/batches/')) return ['batches', '{id}', uuidv7()];
  if (path.includes('{id}')) return ['tasks', '{id}', uuidv7()];
  if (path.includes('{group}')) return ['groups', '{group}', 'g000000000000000'];
  if (path.includes('{queue}')) return ['queues', '{queue}', 'nowhere'];
  return ['names', /\{\w+\}/.exec(path)![0], 'nowhere'];
};

describe('given a key for one queue, what is outside of it', () => {
  it('is named in the path of many operations', () => expect(ROUTES.length).toBeGreaterThan(60));

  it.each(ROUTES)('is answered as what does not exist: $operationId', async ({ path, method, operationId }) => {
    const [of, parameter, absent] = placeIn(path);
    for (const there of foreign[of]) {
      // An id of a queue in the place of its name.
      const missing = of === 'queues' && there !== 'other' ? uuidv7() : absent;
      const [asked, unknown] = [there, missing].map((name) =>
        answerTo(method, path.replace(parameter, name) + (QUERIES[operationId] ?? ''), BODIES[operationId], [name]),
      );
      const answer = await asked!;
      expect(answer).toEqual(await unknown!);
      expect(JSON.stringify(answer)).not.toMatch(SECRETS);
      // No queue may have an id as its name.
      expect(operationId === 'defineQueue' ? [400, 403] : [403, 404]).toContain(answer.status);
    }
  });
});

describe('given a key for one queue that a foreign one waits for', () => {
  beforeAll(async () => {
    await as('boss')
      .queue('secret-reports')
      .define({ waitsFor: ['mail'] });
  });
  afterAll(() => as('boss').queue('secret-reports').delete());

  it.each([
    ['is deleted', 'DELETE', '/v1/queues/mail', undefined],
    ['is deleted with its tasks', 'POST', '/v1/operations', { command: 'deleteQueue', filter: { queue: 'mail' } }],
  ])('says so without its name if the queue %s', async (_, method, path, body) => {
    const answer = await answerTo(method, path, body, []);
    expect(answer).toMatchObject({ status: 409, code: 'QUEUE_AWAITED', queue: 'mail', by: 'hidden' });
    expect(JSON.stringify(answer)).not.toContain('secret-reports');
  });
});

type Naming = (ids: { readonly task: string; readonly batch: string; readonly own: string }) => {
  readonly path: string;
  readonly body?: object;
};

/** Requests about the queue of the key that name something by id. */
const NAMING: Readonly<Record<string, Naming>> = {
  'a task to wait for': ({ task }) => ({ path: 'queues/mail/tasks', body: { after: [{ task }] } }),
  'a task to wait for, in a request that is wrong besides': ({ task }) => ({
    path: 'queues/mail/tasks',
    body: { after: [{ task }], payload: 'x'.repeat(300_000) },
  }),
  'a batch as a task to wait for': ({ batch }) => ({ path: 'queues/mail/tasks', body: { after: [{ task: batch }] } }),
  'a task as a batch to wait for': ({ task }) => ({ path: 'queues/mail/tasks', body: { after: [{ batch: task }] } }),
  'a batch to wait for': ({ batch }) => ({ path: 'queues/mail/tasks', body: { after: [{ batch }] } }),
  'a batch to be part of': ({ batch }) => ({ path: 'queues/mail/tasks', body: { batch } }),
  'a task that items wait for': ({ task }) => ({
    path: 'tasks/batch',
    body: { tasks: [{ queue: 'nowhere' }, { queue: 'mail', after: [{ task }] }].slice(1) },
  }),
  'a batch that items are part of': ({ batch }) => ({
    path: 'tasks/batch',
    body: { tasks: [{ queue: 'mail', batch }] },
  }),
  'a task to arrange': ({ task, own }) => ({ path: `tasks/${own}/prerequisites`, body: { add: [{ task }] } }),
  'a batch to arrange': ({ batch, own }) => ({ path: `tasks/${own}/prerequisites`, body: { add: [{ batch }] } }),
  'a task to waive': ({ task, own }) => ({ path: `tasks/${own}/prerequisites`, body: { waive: [task] } }),
  'a task of a list': ({ batch }) => ({ path: `tasks?queue=mail&batch=${batch}` }),
  'a task of the history': ({ task }) => ({ path: `events?queue=mail&task=${task}` }),
  'a task of the feed': ({ task }) => ({ path: `events/stream?queue=mail&task=${task}` }),
  'a task of an operation': ({ task }) => ({
    path: 'operations',
    body: { command: 'abort', tasks: [task], preview: true },
  }),
  'a batch of an operation': ({ batch }) => ({
    path: 'operations',
    body: { command: 'abort', filter: { queue: 'mail', batch }, preview: true },
  }),
  'a task of a transaction': ({ task }) => ({
    path: 'transactions',
    body: {
      commands: [
        { operation: 'enqueueTask', queue: 'mail', body: {} },
        { operation: 'cancelTask', id: task },
      ],
    },
  }),
  'a task that a transaction waits for': ({ task }) => ({
    path: 'transactions',
    body: { commands: [{ operation: 'enqueueTask', queue: 'mail', body: { after: [{ task }] } }] },
  }),
  'a report of a transaction': ({ task }) => ({
    path: 'transactions',
    body: { commands: [{ operation: 'succeedTask', id: task, body: TOKEN }] },
  }),
  'a report of many': ({ task }) => ({
    path: 'settlements',
    body: { items: [{ taskId: task, ...TOKEN, verdict: { type: 'succeed' } }] },
  }),
  'leases to extend': ({ task }) => ({ path: 'leases/extend', body: { items: [{ taskId: task, ...TOKEN }] } }),
  'leases to ask about': ({ task }) => ({ path: 'leases/check', body: { items: [{ taskId: task, ...TOKEN }] } }),
};

describe('given a key for one queue, a request that names what is outside', () => {
  it.each(Object.entries(NAMING))('is answered as one that names what does not exist: %s', async (_, naming) => {
    const ask = async (task: string, batch: string): Promise<object> => {
      const { id: own } = await as('mailer').queue('mail').enqueue('mine');
      const { path, body } = naming({ task, batch, own });
      return answerTo(body ? 'POST' : 'GET', `/v1/${path}`, body, [task, batch, own]);
    };
    for (const task of foreign.tasks)
      for (const batch of foreign.batches) {
        const answer = await ask(task, batch);
        expect(answer).toEqual(await ask(uuidv7(), uuidv7()));
        expect(JSON.stringify(answer)).not.toMatch(SECRETS);
      }
  });
});

describe('given what others have joined to tasks of the queue of a key', () => {
  it('why tells its state, and neither id nor queue', async () => {
    const boss = as('boss');
    const { id: own } = await as('mailer').queue('mail').enqueue('mine');
    const { id: ours } = await as('mailer').queue('mail').enqueue('mine, too');
    const { id: batch } = await boss.planBatch({ name: 'salaries' }).create();
    await boss.queue('other').enqueue('secret', { batch });
    await boss.task(own).arrange({ add: [{ task: foreign.tasks[0]! }, { batch }, { task: ours }] });
    const { reasons } = await as('mailer').task(own).why();
    const [{ blockers }] = reasons.filter(({ because }) => because === 'prerequisites') as unknown as [
      { blockers: { id?: string; state: string }[] },
    ];
    expect(blockers).toHaveLength(3);
    expect(blockers).toEqual(expect.arrayContaining([{ id: ours, state: 'pending' }, { state: 'pending' }]));
    expect(JSON.stringify(reasons)).not.toMatch(new RegExp(`${batch}|${foreign.tasks.join('|')}|${SECRETS.source}`));
    expect(JSON.stringify((await boss.task(own).why()).reasons)).toContain(batch);
  });

  it('why names no job of another queue to which its task was given', async () => {
    const boss = as('boss');
    await boss.queue('items').define();
    const { id: item } = await boss.queue('items').enqueue('mine');
    const look = { queue: 'items', batchSize: 1, every: 3600, task: { queue: 'other' } };
    await boss.trigger('look').define(look);
    const [reason] = await until('the item to have a job', async () => {
      const { reasons } = await as('itemist').task(item).why();
      return reasons[0]!.because === 'job' ? reasons : null;
    });
    expect(reason).toEqual({ because: 'job', state: 'pending' });
    expect((await boss.task(item).why()).reasons).toEqual([{ ...reason, taskId: expect.any(String) }]);
  });

  it('a refusal names none of it', async () => {
    const boss = as('boss');
    const { id: own } = await as('mailer').queue('mail').enqueue('mine');
    const { id: waits } = await boss.queue('other').enqueue('secret', { after: [{ task: own }] });
    const refusal = (key: string) =>
      as(key)
        .task(own)
        .delete()
        .catch((error: unknown) => JSON.stringify([(error as Error).message, error]));
    expect(await refusal('boss')).toContain(waits);
    const told = await refusal('mailer');
    expect(told).toContain('TASK_AWAITED');
    expect(told).not.toContain(waits);
  });
});
