import type { BatchHandle } from '@waybill/client';
import { isElsewhere, type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

/** What is wrong with a row of `queues`, as an assignment; null if it is missing. */
const WRONG: readonly (readonly [string, string | null])[] = [
  ['is missing', null],
  ['has a lower revision', 'revision = -1'],
  ['has a higher revision', 'revision = 99'],
];

describe('a queue whose row in the index is wrong', () => {
  let service: RunningService;
  let queue: string;
  let count = 0;

  beforeAll(async () => void (service = await startService()));
  afterAll(() => service.stop());
  beforeEach(async () => {
    queue = `mail-${(count += 1)}`;
    await service.waybill.queue(queue).define();
    await until('the row of the queue', async () => (await change('name = name')) || null);
  });

  const change = async (what: string): Promise<number> =>
    (await service.pool.query(`update queues set ${what} where name = $1`, [queue])).rowCount!;

  const spoil = (what: string | null): Promise<unknown> =>
    what === null ? service.pool.query('delete from queues where name = $1', [queue]) : change(what);

  const mended = async (): Promise<number> => {
    const { rows } = await service.pool.query<{ mended: string }>(
      `select mended from mended_rows where what = 'queues'`,
    );
    return Number(rows[0]?.mended ?? 0);
  };

  const post = async (path: string, body?: object, method = 'POST') => {
    const answer = await fetch(`${service.url}/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'waybill-actor': 'ann' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as { code?: string } };
  };

  describe.each(WRONG)('because it %s', (_, what) => {
    it('takes a submission all the same, and mends it', async () => {
      const before = await mended();
      await spoil(what);
      expect(await post(`/queues/${queue}/tasks`, { payload: 1 })).toMatchObject({ status: 201 });
      expect(await mended()).toBeGreaterThan(before);
      expect(await service.waybill.queue(queue).claim({ worker: 'w', max: 5, waitMs: 60_000 })).toHaveLength(1);
    });

    it('takes many submissions in one request', async () => {
      await spoil(what);
      const items = [{ payload: 1 }, { payload: 2, key: 'k' }, { payload: 3, reference: 'r' }];
      const answer = await post('/tasks/batch', { tasks: items.map((item) => ({ queue, ...item })) });
      expect(answer).toMatchObject({ status: 200, body: { results: items.map(() => ({ status: 'enqueued' })) } });
    });

    it('takes a transaction, which mends it', async () => {
      await spoil(what);
      const commands = [
        { operation: 'enqueueTask', queue, body: { payload: 1 } },
        { operation: 'enqueueTask', queue, body: { payload: 2 } },
      ];
      expect(await post('/transactions', { commands })).toMatchObject({ status: 200 });
      expect(await service.waybill.queue(queue).claim({ worker: 'w', max: 5, waitMs: 60_000 })).toHaveLength(2);
    });

    it('takes a task that begins with its claim', async () => {
      await spoil(what);
      const start = { queue, worker: 'w', payload: 1 };
      expect(await post('/tasks/start', start)).toMatchObject({ status: 200 });
    });

    it('obeys a command on it, and goes on', async () => {
      await spoil(what);
      expect(await post(`/queues/${queue}/pause`, { reason: 'r' })).toMatchObject({ status: 200 });
      expect(await post(`/queues/${queue}/resume`)).toMatchObject({ status: 200 });
      expect(await post(`/queues/${queue}/tasks`, { payload: 1 })).toMatchObject({ status: 201 });
      expect(await service.waybill.queue(queue).claim({ worker: 'w', max: 5, waitMs: 60_000 })).toHaveLength(1);
    });

    it('keeps no queue from being defined that waits for it', async () => {
      await spoil(what);
      const behind = { policy: { waitsFor: [queue] } };
      expect(await post(`/queues/${queue}-behind`, behind, 'PUT')).toMatchObject({ status: 201 });
    });
  });

  it.each(WRONG.slice(1))('gives its tasks out though it %s', async (_, what) => {
    await service.waybill.queue(queue).enqueue({ payload: 1 });
    await spoil(what);
    expect(await service.waybill.queue(queue).claim({ worker: 'w', max: 5, waitMs: 60_000 })).toHaveLength(1);
  });

  it.each(WRONG.slice(1))('gives its tasks out one at a time though it %s', async (_, what) => {
    await post(`/queues/${queue}/policy`, { concurrency: 'serial' }, 'PATCH');
    await service.waybill.queue(queue).enqueue({ payload: 1 });
    await spoil(what);
    expect(await service.waybill.queue(queue).claim({ worker: 'w', max: 5, waitMs: 60_000 })).toHaveLength(1);
  });

  it('settles the tasks that run, and expires their leases', async () => {
    const handle = service.waybill.queue(queue);
    await handle.enqueue({ payload: 1 });
    await handle.enqueue({ payload: 2 });
    const [first, second] = await handle.claim({ worker: 'w', max: 2, leaseMs: 1_000 });
    await spoil(null);
    const done = await post(`/tasks/${first!.taskId}/succeed`, { token: first!.token });
    expect(done).toMatchObject({ status: 200 });
    const state = 'select state from tasks where task_id = $1';
    const isPending = async () =>
      (await service.pool.query<{ state: string }>(state, [second!.taskId])).rows[0]!.state === 'pending' || null;
    await until('the lease to end', isPending);
  });
});

describe('a task whose row in the index is wrong', () => {
  let service: RunningService;
  let wrong: string;
  let other: string;
  const mail = () => service.waybill.queue('mail');

  beforeAll(async () => {
    service = await startService();
    await mail().define();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    wrong = (await mail().enqueue({ payload: 1 })).id;
    other = (await mail().enqueue({ payload: 2 })).id;
  });

  /** Once the index has the task at the revision. */
  const spoil = (from: number): Promise<unknown> =>
    until('the row of the task', async () => {
      const text = 'update tasks set revision = 77 where task_id = $1 and revision = $2';
      return (await service.pool.query(text, [wrong, from])).rowCount || null;
    });

  const post = async (path: string, body?: object) => {
    const answer = await fetch(`${service.url}/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'waybill-actor': 'ann' },
      body: JSON.stringify(body ?? {}),
    });
    return { status: answer.status, body: (await answer.json()) as object };
  };

  const isAside = async (): Promise<boolean> =>
    (await service.pool.query('select from quarantined where task_id = $1', [wrong])).rowCount === 1;

  const UNREADABLE = { status: 409, body: { code: 'STREAM_UNREADABLE', reason: expect.stringContaining('and 77') } };

  /**
   * An append to EventStoreDB is judged by the history alone, and the index then has its row anew. In Postgres the row leads to the
   * history, so nothing is appended beside it.
   */
  async function isToldOrMended(answer: { readonly status: number }): Promise<void> {
    if (!isElsewhere) {
      expect(answer).toMatchObject(UNREADABLE);
      expect(await isAside()).toBe(true);
      return;
    }
    expect(answer).toMatchObject({ status: 200 });
    const history = await service.waybill.task(wrong).history();
    const text = 'select 1 from tasks where task_id = $1 and revision = $2';
    const values = [wrong, history.at(-1)!.revision];
    await until('the row to agree', async () => (await service.pool.query(text, values)).rowCount || null);
  }

  it.each([
    ['cancel', {}],
    ['abort', {}],
    ['hold', {}],
    ['prioritise', { priority: 3 }],
    ['reschedule', { dueAt: '2100-01-01T00:00:00.000Z' }],
    ['amend', { payload: 3 }],
  ])('refuses %s with the cause, or is mended by it', async (command, body) => {
    await spoil(0);
    await isToldOrMended(await post(`/tasks/${wrong}/${command}`, body));
    expect(await post(`/tasks/${other}/${command}`, body)).toMatchObject({ status: 200 });
  });

  const inTransaction = (...commands: object[]) => post('/transactions', { commands });

  it.each(['cancelTask', 'holdTask', 'abortTask'])('refuses a transaction with %s as a whole', async (operation) => {
    await spoil(0);
    const commands = [
      { operation: 'holdTask', id: other },
      { operation, id: wrong },
    ];
    expect(await inTransaction(...commands)).toMatchObject(UNREADABLE);
    expect(await isAside()).toBe(true);
    expect(await service.waybill.task(other).get()).toMatchObject({ state: 'pending' });
    expect(await inTransaction({ operation: 'holdTask', id: other })).toMatchObject({ status: 200 });
  });

  /** Both tasks, claimed. */
  async function claimed(): Promise<{ readonly ofWrong: string; readonly ofOther: string }> {
    const tokens = new Map<string, string>();
    while (!tokens.has(wrong) || !tokens.has(other))
      for (const { taskId, token } of await mail().claim({ worker: 'w', max: 10, waitMs: 60_000 }))
        tokens.set(taskId, token);
    return { ofWrong: tokens.get(wrong)!, ofOther: tokens.get(other)! };
  }

  it.each([
    ['succeed', {}],
    ['fail', { error: { message: 'no', class: 'business' } }],
    ['return', {}],
  ])('is told to the worker whose report is to %s or mended by it, and no other report is', async (report, body) => {
    const { ofWrong, ofOther } = await claimed();
    await spoil(1);
    await isToldOrMended(await post(`/tasks/${wrong}/${report}`, { token: ofWrong, ...body }));
    expect(await post(`/tasks/${other}/${report}`, { token: ofOther, ...body })).toMatchObject({ status: 200 });
  });

  it('refuses a transaction that settles it and creates another', async () => {
    const { ofWrong, ofOther } = await claimed();
    await spoil(1);
    const succeed = (id: string, token: string) => ({ operation: 'succeedTask', id, body: { token } });
    const next = { operation: 'enqueueTask', queue: 'mail', body: { payload: 3 } };
    expect(await inTransaction(succeed(other, ofOther), succeed(wrong, ofWrong), next)).toMatchObject(UNREADABLE);
    expect(await isAside()).toBe(true);
    expect(await service.waybill.task(other).get()).toMatchObject({ state: 'running' });
    expect(await inTransaction(succeed(other, ofOther), next)).toMatchObject({ status: 200 });
  });
});

describe('a batch whose row in the index is wrong', () => {
  let service: RunningService;
  let batch: BatchHandle;
  const mail = () => service.waybill.queue('mail');

  beforeAll(async () => {
    service = await startService();
    await mail().define();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    batch = await service.waybill.createBatch({ name: 'scan' });
    await mail().enqueueMany([{ batch: batch.id }, { batch: batch.id }]);
    await until('the rows of its tasks', async () => (await row('total = 2')) || null);
  });

  const row = async (condition: string): Promise<boolean> =>
    (await service.pool.query(`select from batches where id = $1 and ${condition}`, [batch.id])).rowCount === 1;

  const spoil = async (change: string, where = 'true'): Promise<boolean> =>
    (await service.pool.query(`update batches set ${change} where id = $1 and ${where}`, [batch.id])).rowCount === 1;

  it.each(['total = 7, succeeded = 1, failed = 2, aborted = 3, deleted = 4', 'total = 0, open = 0'])(
    'is opened with its tasks (%s)',
    async (change) => {
      await spoil(change);
      await batch.open(2);
      await until('the row of the open batch', async () => (await row(`state = 'running'`)) || null);
      expect(await row('(total, open, succeeded, failed, aborted, deleted) = (2, 2, 0, 0, 0, 0)')).toBe(true);
    },
  );

  it('does not end while a task is open, whatever its row says', async () => {
    await batch.open(2);
    await until('the open batch', async () => (await spoil('open = 0, succeeded = 2', `state = 'running'`)) || null);
    await until('the row to be mended', async () => (await row('open = 2 and succeeded = 0')) || null);
    expect(await row(`state = 'running' and ended_with is null`)).toBe(true);
  });

  it('takes a transaction that adds a task, once it has refused one', async () => {
    await spoil(`state = 'completed'`);
    const add = () => service.waybill.transaction((tx) => void tx.queue('mail').enqueue(1, { batch: batch.id }));
    await add().catch(() => undefined);
    await add();
    expect(await row(`state = 'planning'`)).toBe(true);
  });
});
