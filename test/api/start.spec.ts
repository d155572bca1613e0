import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, HttpTransport, type ClaimedTask, type PolicyChanges, type QueueHandle } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { until } from '../support/until.js';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
let transport: HttpTransport;
beforeAll(async () => {
  service = await startService();
  transport = new HttpTransport({ url: service.url });
});
afterAll(() => service.stop());

let made = 0;
async function newQueue(policy: PolicyChanges = {}): Promise<QueueHandle> {
  const queue = service.waybill.queue(`direct-${++made}`);
  await queue.define(policy);
  return queue;
}

async function start(queue: QueueHandle, more: object = {}): Promise<{ status: number; body: any }> {
  const body = { queue: queue.name, worker: 'w1', ...more };
  return transport.call('startTask', { body, headers: {} });
}

const startUnder = (key: string, queue: QueueHandle, more: object = {}) =>
  transport.call('startTask', {
    body: { queue: queue.name, worker: 'w1', ...more },
    headers: { 'idempotency-key': key },
  }) as Promise<Answer & { body: any }>;

const handle = ({ taskId }: ClaimedTask) => service.waybill.task(taskId);
const ref = ({ taskId, token }: ClaimedTask) => ({ taskId, token });
const recorded = (task: ClaimedTask) =>
  service.waybill.settle([{ ...ref(task), verdict: { type: 'record', data: { seen: 1 } } }]);

async function claimed(queue: QueueHandle): Promise<void> {
  expect(await queue.claim({ worker: 'w2', waitMs: 30_000 })).toHaveLength(1);
}

async function archived(queue: QueueHandle): Promise<void> {
  const { policyVersion } = await queue.get();
  await queue.changePolicy({ retention: { succeeded: 0 } }, { ifVersion: policyVersion });
  const page = () => service.waybill.tasks.page({ queue: queue.name });
  await until('the task to be archived', async () => ((await page()).items.length === 0 ? true : null));
}

async function removed(queue: QueueHandle): Promise<void> {
  await queue.deleteWithTasks();
  const isGone = () =>
    queue.get().then(
      () => null,
      () => true,
    );
  await until('the queue to be deleted', isGone);
}

const settle = ({ taskId, token }: ClaimedTask, type: 'succeed' | 'return' = 'succeed') =>
  service.waybill.settle([{ taskId, token, verdict: { type } }]);

describe('a task that is started at once', () => {
  it('runs with its worker, and has the record of any other task', async () => {
    const queue = await newQueue();
    const { status, body } = await start(queue, {
      kind: 'links:make',
      payload: ['/in'],
      labels: { a: 'b' },
      server: 's1',
    });
    expect(status).toBe(200);
    const { task } = body as { task: ClaimedTask };
    expect(task).toMatchObject({
      queue: queue.name,
      kind: 'links:make',
      payload: ['/in'],
      labels: { a: 'b' },
      attempt: 1,
    });
    expect(await service.waybill.task(task.taskId).get()).toMatchObject({ state: 'running', worker: 'w1', attempt: 1 });
    await settle(task);
    const history = await service.waybill.task(task.taskId).history();
    expect(history.map(({ type, revision }) => [type, revision])).toEqual([
      ['TaskEnqueued', 0],
      ['TaskClaimed', 1],
      ['TaskSucceeded', 2],
    ]);
    expect(history[1]!.id).toBe(task.claimEvent);
  });

  it('is not given to anybody else, and its lease is extended and lost like any other', async () => {
    const queue = await newQueue();
    const { task } = (await start(queue)).body as { task: ClaimedTask };
    expect(await queue.claim({ worker: 'w2' })).toEqual([]);
    const [extended] = await service.waybill.extend([{ taskId: task.taskId, token: task.token }]);
    expect(extended).toMatchObject({ kind: 'extended' });
    await service.passTime('13 hours');
    const [again] = await queue.claim({ worker: 'w2', waitMs: 30_000 });
    expect(again).toMatchObject({ taskId: task.taskId, attempt: 2 });
  });

  it('waits again if its worker returns it', async () => {
    const queue = await newQueue();
    const { task } = (await start(queue)).body as { task: ClaimedTask };
    await settle(task, 'return');
    expect(await queue.claim({ worker: 'w2' })).toMatchObject([{ taskId: task.taskId }]);
  });

  it('is started once, and a repeated request gets the same lease while it stands', async () => {
    const queue = await newQueue();
    const id = uuidv7();
    const [first, second] = await Promise.all([start(queue, { id }), start(queue, { id })]);
    expect(second.body.task).toEqual(first.body.task);
    await queue.pause();
    expect((await start(queue, { id })).body.task.token).toBe(first.body.task.token);
    await queue.resume();
    expect((await start(queue, { id, worker: 'w2' })).body).toMatchObject({ code: expect.stringMatching(/CLAIM/) });
    await settle(first.body.task);
    expect((await start(queue, { id })).body).toMatchObject({ code: 'ILLEGAL_TRANSITION', state: 'succeeded' });
  });

  const FIRST = {
    kind: 'a',
    payload: { n: 1 },
    key: 'k',
    priority: 1,
    labels: { l: '1' },
    description: 'd',
    reference: 'r',
    deadlineAt: '2099-01-01T00:00:00.000Z',
    data: { d: 1 },
  };

  it.each<[string, object]>([
    ['kind', { kind: 'b' }],
    ['payload', { payload: { n: 2 } }],
    ['key', { key: 'other' }],
    ['priority', { priority: 2 }],
    ['labels', { labels: { l: '2' } }],
    ['description', { description: 'other' }],
    ['reference', { reference: 'other' }],
    ['deadline', { deadlineAt: undefined }],
    ['data', { data: { d: 2 } }],
    ['data, namely none', { data: undefined }],
  ])('is not given to a request of the same id with another %s', async (_, other) => {
    const queue = await newQueue();
    const id = uuidv7();
    expect((await start(queue, { id, ...FIRST })).status).toBe(200);
    expect((await start(queue, { id, ...FIRST, ...other })).body).toMatchObject({ code: 'TASK_EXISTS' });
    expect((await start(queue, { id, ...FIRST })).status).toBe(200);
  });

  it.each<[string, (queue: QueueHandle, id: string) => Promise<unknown>]>([
    ['waits', (queue, id) => queue.enqueue(undefined, { id })],
    ['is held', (queue, id) => queue.enqueue(undefined, { id, hold: {} })],
    ['is prepared', (queue, id) => queue.enqueue(undefined, { id, prepared: true })],
    ['runs', async (queue, id) => (await queue.enqueue(undefined, { id }), queue.claim({ worker: 'w1' }))],
    ['was started', (queue, id) => start(queue, { id })],
    ['has ended', async (queue, id) => settle((await start(queue, { id })).body.task)],
  ])('says of the id of a task of another queue only that it is taken, if that %s', async (_, make) => {
    const [queue, other] = [await newQueue(), await newQueue()];
    const id = uuidv7();
    await make(other, id);
    for (const more of [{}, { payload: 1 }, { worker: 'w2' }]) {
      const { body } = await start(queue, { id, ...more });
      expect(['TASK_EXISTS', 'CLAIM_ID_REUSED']).toContain(body.code);
      expect(body).not.toHaveProperty('state');
      expect(JSON.stringify(body)).not.toContain(other.name);
    }
  });

  it('is started once under an Idempotency-Key, also by requests at once and by a late one', async () => {
    const queue = await newQueue();
    const under = (key: string, more: object = {}) => startUnder(key, queue, more);
    const key = uuidv7();
    const [first, second] = await Promise.all([under(key), under(key)]);
    expect(first.status).toBe(200);
    expect(second.body.task).toEqual(first.body.task);
    await queue.pause();
    expect((await under(key)).body.task.token).toBe(first.body.task.token);
    expect((await under(key, { payload: 1 })).body).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    await queue.resume();
    expect((await under(uuidv7())).body.task.taskId).not.toBe(first.body.task.taskId);
    await settle(first.body.task);
    expect((await under(key)).body).toEqual(first.body);
    const { items } = await service.waybill.tasks.page({ queue: queue.name });
    expect(items).toHaveLength(2);
  });

  it.each<[string, (task: ClaimedTask, queue: QueueHandle) => Promise<unknown>]>([
    ['has succeeded', (task) => settle(task)],
    ['was given back and runs elsewhere', async (task, queue) => (await settle(task, 'return'), claimed(queue))],
    ['was given back and is amended', async (task) => (await settle(task, 'return'), handle(task).amend({ n: 2 }))],
    [
      'was lost with its worker and runs elsewhere',
      async (_, queue) => (await service.passTime('13 hours'), claimed(queue)),
    ],
    ['was aborted', (task) => handle(task).abort()],
    ['was deleted', (task) => handle(task).delete({ force: true })],
    ['has succeeded in a queue that is gone', async (task, queue) => (await settle(task), removed(queue))],
    ['is in the archive', async (task, queue) => (await settle(task), archived(queue))],
    [
      'goes on, with data and a longer lease',
      async (task) => (await service.waybill.extend([ref(task)]), recorded(task)),
    ],
  ])(
    'answers a repetition under its key as the first, if its task %s, and the token opens nothing that is over',
    async (_, happen) => {
      const queue = await newQueue();
      const key = uuidv7();
      const first = await startUnder(key, queue, { payload: { n: 1 }, labels: { l: '1' } });
      expect(first.status).toBe(200);
      const { task } = first.body as { task: ClaimedTask };
      await happen(task, queue);
      const before = await handle(task).get();
      const late = await startUnder(key, queue, { payload: { n: 1 }, labels: { l: '1' } });
      expect([late.status, late.body, late.headers['idempotent-replayed']]).toEqual([200, first.body, 'true']);
      expect(await handle(task).get()).toEqual(before);
      const [lease] = await service.waybill.extend([ref(late.body.task)]);
      if (before.state === 'running' && before.attempt === 1 && before.worker === 'w1')
        expect(lease).toMatchObject({ kind: 'extended' });
      else expect(lease).toMatchObject({ kind: 'lost' });
    },
  );

  it('is repeated under a key of a build that kept no token: with its lease while that stands, and then refused', async () => {
    const queue = await newQueue();
    const key = uuidv7();
    const { body } = await startUnder(key, queue);
    const { rowCount } = await service.pool.query(
      `update idempotency_keys set answer = '"recorded"' where stream = $1`,
      [`task-${body.task.taskId}`],
    );
    expect(rowCount).toBe(1);
    const again = await startUnder(key, queue);
    expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([200, body, 'true']);
    await settle(again.body.task);
    expect((await startUnder(key, queue)).body).toMatchObject({ code: 'ILLEGAL_TRANSITION', state: 'succeeded' });
  });

  it('is not run twice by a program that repeats it through the client', async () => {
    const queue = await newQueue();
    const idempotencyKey = uuidv7();
    const begun = () => queue.start({ worker: 'w1', leaseMs: 5_000 }, { idempotencyKey });
    const first = await begun();
    const again = await begun();
    expect({ ...again, deadline: '' }).toEqual({ ...first, deadline: '' });
    expect(Date.parse(again.deadline)).toBeGreaterThanOrEqual(Date.parse(first.deadline));
    await settle(again);
    await expect(begun()).rejects.toMatchObject({ code: 'LEASE_LOST', data: { state: 'succeeded' } });
  });

  it('is repeated under a key that came with its id later: that key keeps the answer too', async () => {
    const queue = await newQueue();
    const [id, key] = [uuidv7(), uuidv7()];
    const first = await start(queue, { id });
    expect((await startUnder(key, queue, { id })).body).toEqual(first.body);
    await settle(first.body.task);
    const late = await startUnder(key, queue, { id });
    expect([late.status, late.body]).toEqual([200, first.body]);
    expect((await start(queue, { id })).body).toMatchObject({ code: 'ILLEGAL_TRANSITION', state: 'succeeded' });
  });

  it('is caused by its context', async () => {
    const queue = await newQueue();
    const outer = (await start(queue)).body.task as ClaimedTask;
    const inner = (await start(queue, { context: outer.claimEvent })).body.task as ClaimedTask;
    const [, claim] = await service.waybill.task(inner.taskId).history();
    expect(claim!.envelope).toMatchObject({ causationId: outer.claimEvent });
    expect(await service.waybill.task(inner.taskId).get()).toMatchObject({ context: outer.claimEvent });
  });
});

describe('a start is refused', () => {
  it('at once, if its id is that of a claim of other tasks, whether these run or have ended', async () => {
    const queue = await newQueue();
    const { taskId: id } = (await start(queue)).body.task as ClaimedTask;
    const claimId = uuidv7();
    await queue.enqueue({ n: 1 });
    const { tasks } = await queue.claimResult({ worker: 'w1', claimId });
    expect((await start(queue, { id: claimId })).body).toMatchObject({ status: 422, code: 'CLAIM_ID_REUSED' });
    await settle(tasks[0]!);
    expect((await start(queue, { id: claimId })).body).toMatchObject({ status: 422, code: 'CLAIM_ID_REUSED' });
    expect((await start(queue, { id })).status).toBe(200);
  });

  it.each<[string, PolicyChanges]>([
    ['serial', { concurrency: 'serial' }],
    ['limited per server', { concurrency: { perServer: 2 } }],
    ['limited in the cluster', { maxRunning: 5 }],
    ['limited by a rate', { rate: { starts: 5, perMs: 1_000, burst: 5 } }],
    ['limited by a label', { perLabel: { label: 'customer', maxRunning: 5 } }],
    ['one that looks at needs', { needs: {} }],
  ])('by a queue that is %s', async (_, policy) => {
    expect((await start(await newQueue(policy))).body).toMatchObject({ code: 'START_NOT_ALLOWED', because: 'limited' });
  });

  it('by a queue that is paused, closed or unknown', async () => {
    const queue = await newQueue();
    await queue.pause();
    expect((await start(queue)).body).toMatchObject({ code: 'START_NOT_ALLOWED', because: 'paused' });
    await queue.resume();
    await queue.closeIntake();
    expect((await start(queue)).body).toMatchObject({ code: 'INTAKE_CLOSED' });
    expect((await start(service.waybill.queue('nowhere'))).body).toMatchObject({ code: 'QUEUE_NOT_FOUND' });
  });

  it.each<[string, PolicyChanges, (queue: QueueHandle) => Promise<string>]>([
    ['runs', {}, async (queue) => (await start(queue, { key: 'k' })).body.task.taskId],
    ['waits', {}, async (queue) => (await queue.enqueue(null, { key: 'k' })).id],
    ['waits in line', { duplicatePending: 'allow' }, async (queue) => (await queue.enqueue(null, { key: 'k' })).id],
    ['is held', {}, async (queue) => (await queue.enqueue(null, { key: 'k', hold: {} })).id],
    [
      'failed and blocks it',
      { duplicatePending: 'allow', onKeyFailure: 'block' },
      async (queue) => {
        const { taskId, token } = (await start(queue, { key: 'k' })).body.task as ClaimedTask;
        const verdict = { type: 'fail', error: { message: 'm' } } as const;
        await service.waybill.settle([{ taskId, token, verdict }]);
        return taskId;
      },
    ],
  ])('if another task of its key %s', async (_, policy, occupy) => {
    const queue = await newQueue(policy);
    const conflictingTaskId = await occupy(queue);
    expect((await start(queue, { key: 'k' })).body).toMatchObject({ code: 'KEY_BUSY', key: 'k', conflictingTaskId });
    expect((await start(queue, { key: 'other' })).status).toBe(200);
  });

  it('under one key but for one, if many come at once', async () => {
    const queue = await newQueue();
    const answers = await Promise.all(Array.from({ length: 8 }, () => start(queue, { key: 'k' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'KEY_BUSY')).toHaveLength(7);
  });

  it('keeps its key busy until it ends, and then the next task of the key runs', async () => {
    const queue = await newQueue();
    const { task } = (await start(queue, { key: 'k' })).body as { task: ClaimedTask };
    const { id } = await queue.enqueue(null, { key: 'k' });
    expect(await queue.claim({ worker: 'w2' })).toEqual([]);
    await settle(task);
    expect(await queue.claim({ worker: 'w2', waitMs: 30_000 })).toMatchObject([{ taskId: id }]);
  });

  it('if its reference is in use', async () => {
    const queue = await newQueue({ uniqueReference: 'open' });
    await start(queue, { reference: 'r' });
    expect((await start(queue, { reference: 'r' })).body).toMatchObject({ code: 'REFERENCE_IN_USE', reference: 'r' });
  });
});
