import { randomUUID } from 'node:crypto';
import { isElsewhere, startService, type RunningService } from '../support/running-service.js';
import { until } from '../support/until.js';

let service: RunningService;
beforeAll(async () => (service = await startService()));
afterAll(() => service.stop());

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await fetch(service.url + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json;') ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/**
 * Reads from a read model once it is as new as the path requires. While it is behind, callers are told to try again.
 */
const read = (path: string): Promise<any> =>
  until(`an answer to GET ${path}`, async () => {
    const { body } = await call('GET', path);
    return body.code === 'PROJECTION_BEHIND' ? null : body;
  });

let queues = 0;
async function newQueue(policy: object = {}): Promise<string> {
  const name = `api-${++queues}`;
  expect((await call('PUT', `/v1/queues/${name}`, { policy })).status).toBe(201);
  return name;
}

async function newTask(queue: string, task: object = {}): Promise<string> {
  const { status, body } = await call('POST', `/v1/queues/${queue}/tasks`, task);
  expect(status).toBe(201);
  return body.id as string;
}

async function claim(queue: string, worker = 'w1'): Promise<{ taskId: string; token: string; claimId: string }> {
  const { body } = await call('POST', `/v1/queues/${queue}/claims`, { worker, waitMs: 60_000 });
  return body.tasks[0];
}

const stateOf = async (id: string): Promise<string> => (await call('GET', `/v1/tasks/${id}`)).body.state;
const headPosition = async (): Promise<bigint> =>
  BigInt((await call('GET', '/v1/queues')).headers.get('x-as-of-position')!);

/** Carries out a command that must be accepted, and returns the answer. */
async function done(method: string, path: string, body: unknown = {}, headers?: Record<string, string>): Promise<any> {
  const reply = await call(method, path, method === 'DELETE' ? undefined : body, headers);
  expect([path, reply.status, reply.body]).toEqual([path, 200, expect.objectContaining({ recorded: true })]);
  return reply.body;
}

describe('queues', () => {
  it('are listed page by page, by name', async () => {
    await newQueue();
    await newQueue();
    const all = (await call('GET', '/v1/queues')).body.items;
    const first = (await call('GET', '/v1/queues?limit=1')).body;
    const second = (await call('GET', `/v1/queues?limit=1&cursor=${first.nextCursor}`)).body;
    expect([...first.items, ...second.items]).toEqual(all.slice(0, 2));
    expect((await call('GET', `/v1/workers?cursor=${first.nextCursor}`)).body).toMatchObject({
      status: 400,
      errors: [{ pointer: '#/query/cursor' }],
    });
  });

  it('are defined, shown, operated and deleted', async () => {
    const name = await newQueue({ maxLost: 7 });
    expect((await call('PUT', `/v1/queues/${name}`, { policy: { maxLost: 7 } })).body).toMatchObject({
      id: name,
      recorded: false,
    });
    expect((await call('GET', `/v1/queues/${name}`)).body).toMatchObject({
      name,
      state: 'active',
      intake: { open: true },
      policy: { maxLost: 7 },
    });
    expect((await call('GET', '/v1/queues')).body.items.map((queue: { name: string }) => queue.name)).toContain(name);
    await done(
      'POST',
      `/v1/queues/${name}/pause`,
      { reason: 'moving', until: '2100-01-01T00:00:00+01:00' },
      { 'waybill-actor': 'ann' },
    );
    expect((await call('GET', `/v1/queues/${name}`)).body.pause).toEqual({
      by: 'ann',
      reason: 'moving',
      until: '2099-12-31T23:00:00.000Z',
      failure: null,
    });
    await done('POST', `/v1/queues/${name}/resume`);
    await done('POST', `/v1/queues/${name}/close-intake`, { reason: 'enough' });
    await done('POST', `/v1/queues/${name}/open-intake`);
    await done('POST', `/v1/queues/${name}/finish`);
    await done('POST', `/v1/queues/${name}/reopen`);
    await done('DELETE', `/v1/queues/${name}`);
    expect((await call('GET', `/v1/queues/${name}`)).body.code).toBe('QUEUE_NOT_FOUND');
  });

  it('are created once: a repeated definition keeps what an operator changed, and reports it', async () => {
    const name = `api-${++queues}`;
    const path = `/v1/queues/${name}`;
    const define = (more: object = {}, key?: string) =>
      call('PUT', path, { policy: { maxLost: 7 }, ...more }, key ? { 'idempotency-key': key } : {});
    const made = await define();
    expect([made.status, made.headers.get('location'), made.headers.get('etag')]).toEqual([201, path, '"1"']);
    expect(made.body).toMatchObject({ outcome: 'created', differences: [], state: 'active', intake: { open: true } });
    await done('PUT', `${path}/policy`, { maxLost: 9, leaseMs: 5_000 }, { 'if-match': '"1"' });
    await done('POST', `${path}/pause`, { reason: 'moving' }, { 'waybill-actor': 'ann' });
    const kept = await define({}, `${name}-kept`);
    expect([kept.status, kept.headers.get('location'), kept.headers.get('etag')]).toEqual([200, null, '"2"']);
    expect(kept.body).toMatchObject({
      recorded: false,
      outcome: 'kept',
      differences: ['maxLost', 'leaseMs'],
      state: 'paused',
      pause: { by: 'ann', reason: 'moving' },
      policy: { maxLost: 9, leaseMs: 5_000 },
      policyVersion: 2,
    });
    const replaced = await define({ replace: true, description: 'd' }, `${name}-replaced`);
    expect([replaced.status, replaced.body]).toMatchObject([
      200,
      {
        outcome: 'replaced',
        differences: [],
        state: 'paused',
        policy: { maxLost: 7, leaseMs: 30_000 },
        policyVersion: 3,
      },
    ]);
    await done('POST', `${path}/resume`);
    // A repeated request gets its earlier answer, not the current state.
    expect((await define({}, `${name}-kept`)).body).toEqual(kept.body);
    expect((await define({ replace: true, description: 'd' }, `${name}-replaced`)).body).toEqual(replaced.body);
    expect((await call('GET', path)).body).toMatchObject({ state: 'active', description: 'd', policyVersion: 3 });
  });

  it('are changed only under the current tag of the policy', async () => {
    const name = await newQueue();
    const path = `/v1/queues/${name}/policy`;
    const tag = (await call('GET', path)).headers.get('etag')!;
    expect((await call('PUT', path, { maxLost: 9 })).status).toBe(428);
    await done('PUT', path, { maxLost: 9 }, { 'if-match': tag });
    const stale = await call('PUT', path, { maxLost: 1 }, { 'if-match': tag });
    expect(stale).toMatchObject({ status: 412, body: { code: 'POLICY_VERSION_MISMATCH' } });
    const now = await call('GET', path);
    expect(now.body.maxLost).toBe(9);
    expect(now.headers.get('etag')).toBe(`"${stale.body.actual}"`);
  });

  it('are counted up to the requested position', async () => {
    const name = await newQueue();
    await newTask(name);
    const last = await call('POST', `/v1/queues/${name}/tasks`, {});
    const body = await read(`/v1/queues/${name}/stats?minPosition=${last.body.position}`);
    expect(body).toMatchObject({ queue: name, counts: { pending: 2 } });
    expect(BigInt(body.asOfPosition)).toBeGreaterThanOrEqual(BigInt(last.body.position));
  });
});

describe('tasks', () => {
  it('are enqueued once, alone or in a batch, and found again', async () => {
    const name = await newQueue();
    const id = randomUUID();
    const task = {
      id,
      kind: 'send',
      key: 'k:1',
      reference: 'r',
      priority: 3,
      labels: { customer: 'acme' },
      description: 'd',
      payload: { a: ['ü', 1.5, null] },
    };
    await newTask(name, task);
    expect(await call('POST', `/v1/queues/${name}/tasks`, task)).toMatchObject({
      status: 200,
      body: { id, status: 'existing' },
    });
    const batch = await call('POST', '/v1/tasks/batch', {
      tasks: [{ queue: name }, { queue: 'nowhere' }, { queue: name, id, payload: 'other' }],
    });
    expect(batch.body.results).toMatchObject([
      { status: 'enqueued' },
      { problem: { code: 'QUEUE_NOT_FOUND', status: 404 } },
      { problem: { code: 'TASK_EXISTS' } },
    ]);
    expect((await call('GET', `/v1/tasks/${id}`)).body).toMatchObject({
      ...task,
      queue: name,
      state: 'pending',
      waitingFor: 'worker',
      result: null,
      steps: [],
    });
    for (const filter of ['key=k:1', 'reference=r', 'kind=send', 'label=customer:acme', 'state=pending&kind=send']) {
      expect([filter, (await call('GET', `/v1/tasks?queue=${name}&${filter}`)).body.items]).toEqual([
        filter,
        [expect.objectContaining({ id })],
      ]);
    }
  });

  it('are listed page by page, each once', async () => {
    const name = await newQueue();
    const tasks = Array.from({ length: 7 }, () => ({ queue: name }));
    const { results } = (await call('POST', '/v1/tasks/batch', { tasks })).body;
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await call('GET', `/v1/tasks?queue=${name}&limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.items.map((task: { id: string }) => task.id));
      cursor = body.nextCursor;
    }
    expect(seen.sort()).toEqual(results.map((result: { id: string }) => result.id).sort());
    expect((await call('GET', '/v1/tasks?cursor=bm9uZQ')).body).toMatchObject({
      status: 400,
      errors: [{ pointer: '#/query/cursor' }],
    });
  });

  it('are operated by people', async () => {
    const name = await newQueue();
    const id = await newTask(name, { prepared: true });
    const at = `/v1/tasks/${id}`;
    await done('POST', `${at}/submit`);
    await done('POST', `${at}/hold`, { reason: 'wait' });
    await done('POST', `${at}/release`);
    await done('POST', `${at}/prioritise`, { priority: 5 });
    await done('POST', `${at}/reschedule`, { dueAt: '2100-01-01T00:00:00Z' });
    expect((await call('GET', at)).body).toMatchObject({
      priority: 5,
      dueAt: '2100-01-01T00:00:00.000Z',
      waitingFor: 'due',
    });
    await done('POST', `${at}/reschedule`, { dueAt: null });
    await done('POST', `${at}/amend`, { payload: { b: 2 } });
    expect((await call('GET', at)).body.payload).toEqual({ b: 2 });
    await done('POST', `${at}/cancel`);
    await done('POST', `${at}/retry`);
    await done('POST', `${at}/abort`, { reason: 'no need' });
    await done('DELETE', at);
    const { items } = (await call('GET', `${at}/history`)).body;
    expect(items.map(({ type }: { type: string }) => type)).toEqual([
      'TaskPrepared', 'TaskSubmitted', 'TaskHeld', 'TaskReleased', 'TaskReprioritised', 'TaskRescheduled', 'TaskRescheduled',
      'TaskPayloadAmended', 'TaskCancelled', 'TaskRetried', 'TaskAborted', 'TaskDeleted',
    ]); // prettier-ignore
  });

  it('are decided when they are undecided, and overruled when they run', async () => {
    const name = await newQueue({ onFailure: 'decide' });
    const id = await newTask(name);
    const { token } = await claim(name);
    await done('POST', `/v1/tasks/${id}/fail`, { token, error: { message: 'no' } });
    expect(await stateOf(id)).toBe('undecided');
    await done('POST', `/v1/tasks/${id}/decide`, { decision: 'retry', reason: 'again' });
    await claim(name);
    await done('POST', `/v1/tasks/${id}/overrule`, { verdict: 'fail', reason: 'it hangs' });
    expect((await call('GET', `/v1/queues/${name}/failed`)).body.items).toMatchObject([{ id, state: 'failed' }]);
  });
});

describe('workers', () => {
  it('claim, extend and settle tasks', async () => {
    const name = await newQueue();
    const id = await newTask(name, { payload: { n: 1 } });
    const { body } = await call('POST', `/v1/queues/${name}/claims`, { worker: 'w1', server: 'host', leaseMs: 60_000 });
    const [claimedTask] = body.tasks;
    expect(claimedTask).toMatchObject({
      taskId: id,
      queue: name,
      attempt: 1,
      payload: { n: 1 },
      leaseMs: 60_000,
      key: null,
    });
    const at = `/v1/tasks/${id}`;
    const { token, claimId } = claimedTask;
    expect(
      (await call('POST', `/v1/queues/${name}/claims`, { worker: 'w1', server: 'host', leaseMs: 60_000, claimId })).body
        .tasks,
    ).toMatchObject([{ taskId: id, token }]);
    expect((await call('POST', `${at}/extend`, { token })).body).toMatchObject({
      taskId: id,
      kind: 'extended',
      cancelRequested: false,
    });
    await done('POST', `${at}/report-error`, { token, error: { message: 'hm', class: 'transient' } });
    await done('POST', `${at}/return`, { token });
    const second = await claim(name);
    await call('POST', `${at}/cancel`);
    const extended = await call('POST', '/v1/leases/extend', {
      items: [
        { taskId: id, token: second.token },
        { taskId: id, token },
      ],
    });
    expect(extended.body.results).toMatchObject([
      { kind: 'extended', cancelRequested: true },
      { taskId: id, kind: 'lost' },
    ]);
    expect(await done('POST', `${at}/confirm-cancel`, { token: second.token })).toMatchObject({ state: 'cancelled' });
    await call('POST', `${at}/retry`);
    const third = await claim(name);
    expect(await done('POST', `${at}/succeed`, { token: third.token, result: [7] })).toMatchObject({
      id,
      state: 'succeeded',
    });
    expect((await call('GET', at)).body).toMatchObject({ state: 'succeeded', result: [7], worker: 'w1' });
    const { items } = await read(`/v1/workers?minPosition=${await headPosition()}`);
    expect(items).toContainEqual(expect.objectContaining({ name: 'w1', running: expect.any(Number) }));
  });

  it('complete steps, and settle in batches', async () => {
    const name = await newQueue({ steps: ['fetch', 'send'] });
    const id = await newTask(name);
    const { token } = await claim(name);
    const step = (of: string) => ({ taskId: id, token, verdict: { type: 'completeStep', step: of, then: 'continue' } });
    expect(
      await done('POST', `/v1/tasks/${id}/complete-step`, { token, step: 'fetch', then: 'continue' }),
    ).toMatchObject({ state: 'running' });
    const { results } = (await call('POST', '/v1/settlements', { items: [step('nonsense'), step('send')] })).body;
    expect(results).toMatchObject([
      { problem: { code: 'STEP_UNKNOWN', steps: ['fetch', 'send'] } },
      { id, state: 'succeeded' },
    ]);
  });

  it('get the positions of their claims and of their settlements', async () => {
    const name = await newQueue();
    for (const payload of [1, 2]) await newTask(name, { payload });
    const statesAt = async (minPosition: string): Promise<string[]> => {
      const { items } = await read(`/v1/tasks?queue=${name}&minPosition=${minPosition}`);
      return items.map(({ state }: { state: string }) => state);
    };
    const { body: claimed } = await call('POST', `/v1/queues/${name}/claims`, { worker: 'w1', max: 2 });
    expect(await statesAt(claimed.position)).toEqual(['running', 'running']);
    const items = claimed.tasks.map(({ taskId, token }: { taskId: string; token: string }) => ({
      taskId,
      token,
      verdict: { type: 'succeed' },
    }));
    const { body: settled } = await call('POST', '/v1/settlements', { items });
    expect(await statesAt(settled.position)).toEqual(['succeeded', 'succeeded']);
  });

  it('that claim from an empty queue get no task, and no error', async () => {
    const name = await newQueue();
    expect(await call('POST', `/v1/queues/${name}/claims`, { worker: 'w1' })).toMatchObject({
      status: 200,
      body: { tasks: [], position: null },
    });
  });
});

describe('transactions with several commands on one task', () => {
  const transact = (...commands: object[]): Promise<Reply> => call('POST', '/v1/transactions', { commands });
  const error = { message: 'broken', class: 'transient' };

  /** A running task, and another one with its key that waits. */
  async function running(policy: object = {}) {
    const queue = await newQueue(policy);
    const id = await newTask(queue, { key: 'k' });
    const { token } = await claim(queue);
    return { queue, id, token, next: await newTask(queue, { key: 'k' }) };
  }

  it('fail if another task waits for the key, as single commands do', async () => {
    const { id, token } = await running({ onFailure: 'retry' });
    const { status } = await transact(
      { operation: 'reportError', id, body: { token, error } },
      { operation: 'failTask', id, body: { token, error } },
    );
    expect([status, await stateOf(id)]).toEqual([200, 'failed']);
  });

  it('report the command that a constraint refuses', async () => {
    const { id, token, next } = await running();
    await done('POST', `/v1/tasks/${id}/fail`, { token, error });
    const { status, body } = await transact(
      { operation: 'amendTask', id, body: { payload: 9 } },
      { operation: 'retryTask', id, body: {} },
    );
    expect([status, body]).toMatchObject([409, { code: 'KEY_ALREADY_WAITING', conflictingTaskId: next, index: 1 }]);
  });

  it('check the token of each command', async () => {
    const { id, token } = await running();
    const forged = `${token.split('.')[0]}.${randomUUID()}`;
    const { status, body } = await transact(
      { operation: 'reportError', id, body: { token, error } },
      { operation: 'succeedTask', id, body: { token: forged } },
    );
    expect([status, body]).toMatchObject([409, { code: 'LEASE_LOST', index: 1 }]);
    expect(await stateOf(id)).toBe('running');
  });

  it('are refused like the first of them alone', async () => {
    const queue = await newQueue({ uniqueReference: 'always' });
    const holder = await newTask(queue, { reference: 'r' });
    const id = randomUUID();
    const { status, body } = await transact(
      { operation: 'enqueueTask', queue, body: { id, reference: 'r' } },
      { operation: 'holdTask', id, body: {} },
    );
    expect([status, body]).toMatchObject([409, { code: 'REFERENCE_IN_USE', conflictingTaskId: holder, index: 0 }]);
  });

  it('keep their order among the others', async () => {
    const queue = await newQueue();
    const id = await newTask(queue, { key: 'k' });
    const { status, body } = await transact(
      { operation: 'prioritiseTask', id, body: { priority: 3 } },
      { operation: 'enqueueTask', queue, body: { key: 'k' } },
      { operation: 'cancelTask', id, body: {} },
    );
    expect([status, body]).toMatchObject([200, { results: [{ id }, { id }, { id }] }]);
    expect(await stateOf(id)).toBe('cancelled');
  });
});

describe('refusals', () => {
  it('name the state and the commands that it allows', async () => {
    const id = await newTask(await newQueue());
    expect((await call('POST', `/v1/tasks/${id}/decide`, { decision: 'retry' })).body).toMatchObject({
      status: 409,
      code: 'ILLEGAL_TRANSITION',
      state: 'pending',
      allowed: expect.arrayContaining(['CancelTask']),
    });
  });

  it('tell a late worker which worker has the task', async () => {
    const name = await newQueue();
    const id = await newTask(name);
    const late = await claim(name, 'late');
    await call('POST', `/v1/tasks/${id}/overrule`, { verdict: 'requeue', reason: 'too slow' });
    await claim(name, 'quick');
    const lost = { status: 409, code: 'LEASE_LOST', state: 'running', heldBy: 'quick' };
    for (const verb of ['succeed', 'extend', 'return']) {
      expect((await call('POST', `/v1/tasks/${id}/${verb}`, { token: late.token })).body).toMatchObject(lost);
    }
  });

  it('report that a pause would end in the past, alone and in a transaction', async () => {
    const name = await newQueue();
    const until = '2020-01-01T00:00:00.000Z';
    const refused = { status: 422, code: 'PAUSE_IN_THE_PAST', queue: name, until, now: expect.any(String) };
    expect((await call('POST', `/v1/queues/${name}/pause`, { until })).body).toMatchObject(refused);
    const commands = [{ operation: 'pauseQueue', queue: name, body: { until } }];
    expect((await call('POST', '/v1/transactions', { commands })).body).toMatchObject({ ...refused, index: 0 });
    expect((await call('GET', `/v1/queues/${name}`)).body.state).toBe('active');
  });

  it('report why the intake is closed', async () => {
    const name = await newQueue();
    await call('POST', `/v1/queues/${name}/close-intake`, { reason: 'moving' }, { 'waybill-actor': 'ann' });
    expect((await call('POST', `/v1/queues/${name}/tasks`, {})).body).toMatchObject({
      status: 409,
      code: 'INTAKE_CLOSED',
      by: 'ann',
      reason: 'moving',
    });
  });

  it('name the limit of a result and of the details of an error, under the current policy, item by item', async () => {
    const name = await newQueue({ limits: { payloadBytes: 5_000 } });
    for (let n = 0; n < 3; n++) await call('POST', `/v1/queues/${name}/tasks`, {});
    const claimed = await call('POST', `/v1/queues/${name}/claims`, { worker: 'w', max: 3 });
    const [one, two, three] = claimed.body.tasks as { taskId: string; token: string }[];
    const large = 'x'.repeat(5_000);
    const settle = (task: typeof one, verdict: object) => ({ taskId: task!.taskId, token: task!.token, verdict });
    const items = [
      settle(one, { type: 'succeed', result: large }),
      settle(two, { type: 'fail', error: { message: 'no', details: { large } } }),
      settle(three, { type: 'succeed', result: 'x'.repeat(4_990) }),
    ];
    const tooLarge = { problem: { status: 413, code: 'PAYLOAD_TOO_LARGE', limit: 5_000 } };
    expect((await call('POST', '/v1/settlements', { items })).body.results).toMatchObject([
      tooLarge,
      tooLarge,
      { state: 'succeeded' },
    ]);
    const policy = await call('GET', `/v1/queues/${name}/policy`);
    const changed = { limits: { payloadBytes: 10_000 } };
    await call('PUT', `/v1/queues/${name}/policy`, changed, { 'if-match': policy.headers.get('etag')! });
    expect((await call('POST', '/v1/settlements', { items: [items[0]] })).body.results).toMatchObject([
      { state: 'succeeded' },
    ]);
  });

  it('say that a history is full, and let its attempt end', async () => {
    const name = await newQueue();
    const { id } = (await call('POST', `/v1/queues/${name}/tasks`, {})).body;
    const claimed = await call('POST', `/v1/queues/${name}/claims`, { worker: 'w', max: 1, leaseMs: 3_600_000 });
    const [{ token }] = claimed.body.tasks;
    const items = Array.from({ length: 999 }, (_, n) => ({
      taskId: id,
      token,
      verdict: { type: 'reportError', error: { message: `error ${n}` } },
    }));
    const { results } = (await call('POST', '/v1/settlements', { items })).body;
    expect(results.slice(0, 998).filter((result: object) => 'problem' in result)).toEqual([]);
    const full = { status: 409, code: 'HISTORY_FULL', events: 1_000 };
    expect(results[998]).toMatchObject({ problem: full });
    expect((await call('POST', `/v1/tasks/${id}/return`, { token })).body).toMatchObject(full);
    expect((await call('POST', `/v1/tasks/${id}/abort`)).body).toMatchObject({ recorded: true });
    // These are 999 appends, one after the other.
  }, 600_000);

  it('name the limit of a payload, an unknown member, and a missing one', async () => {
    const name = await newQueue({ keyRequired: true, limits: { payloadBytes: 10 } });
    const enqueue = async (task: object) => (await call('POST', `/v1/queues/${name}/tasks`, task)).body;
    expect(await enqueue({ key: 'k', payload: 'ten bytes or more' })).toMatchObject({
      status: 413,
      code: 'PAYLOAD_TOO_LARGE',
      bytes: 19,
      limit: 10,
    });
    expect(await enqueue({})).toMatchObject({ status: 422, code: 'KEY_REQUIRED' });
    expect((await call('GET', `/v1/tasks/${randomUUID()}`)).body).toMatchObject({
      status: 404,
      code: 'TASK_NOT_FOUND',
    });
    expect((await call('POST', `/v1/tasks/${randomUUID()}/cancel`)).body).toMatchObject({
      status: 404,
      code: 'TASK_NOT_FOUND',
    });
    expect((await call('GET', '/v1/queues/nowhere/stats')).body).toMatchObject({
      status: 404,
      code: 'QUEUE_NOT_FOUND',
    });
  });

  it.each(['/v1/events?queue=', '/v1/events/stream?queue=', '/v1/tasks?queue=', '/v1/tasks?state=failed&queue='])(
    'report that a queue never existed, instead of an empty list: %s',
    async (path) => {
      const refused = { status: 404, code: 'QUEUE_NOT_FOUND', queue: 'nowhere' };
      expect((await call('GET', `${path}nowhere`)).body).toMatchObject(refused);
    },
  );

  it('are not given for a deleted queue, which still has its history', async () => {
    const name = await newQueue();
    expect((await call('GET', `/v1/tasks?queue=${name}`)).body.items).toEqual([]);
    await done('DELETE', `/v1/queues/${name}`);
    expect((await call('GET', `/v1/events?queue=${name}`)).body).toMatch(/"QueueDefined".*\n.*"QueueDeleted"/);
    expect((await call('GET', `/v1/tasks?queue=${name}`)).body.items).toEqual([]);
    expect((await call('GET', `/v1/queues/${name}/failed`)).body.items).toEqual([]);
  });

  it('record no event', async () => {
    const name = await newQueue();
    const events = async (): Promise<string> => (await call('GET', `/v1/events?queue=${name}`)).body as string;
    const before = await events();
    const bad = [
      '{"key":"\\u0000"}',
      '{"payload":9007199254740993}',
      '{"payload":{"__proto__":1}}',
      '{"id":"1"}',
      '{"x":1}',
      '[',
      '"\\ud800"',
    ];
    for (const body of bad) expect((await call('POST', `/v1/queues/${name}/tasks`, body)).status).toBe(400);
    expect(await events()).toBe(before);
  });

  it('are given for a position that does not exist yet', async () => {
    const id = await newTask(await newQueue());
    const reply = await call('GET', `/v1/tasks/${id}?minPosition=${(await headPosition()) + 10n ** 12n}`);
    expect([reply.status, reply.body.code, reply.headers.get('retry-after')]).toEqual([503, 'PROJECTION_BEHIND', '1']);
  });
});

it('carries a command out once for its Idempotency-Key', async () => {
  const name = await newQueue();
  const key = { 'idempotency-key': randomUUID() };
  const first = await call('POST', `/v1/queues/${name}/pause`, { reason: 'a' }, key);
  await call('POST', `/v1/queues/${name}/resume`);
  const again = await call('POST', `/v1/queues/${name}/pause`, { reason: 'a' }, key);
  expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', first.body]);
  expect((await call('GET', `/v1/queues/${name}`)).body.state).toBe('active');
  expect((await call('POST', `/v1/queues/${name}/pause`, { reason: 'b' }, key)).body).toMatchObject({
    status: 422,
    code: 'IDEMPOTENCY_KEY_REUSED',
  });
});

it('creates one task for a repeated Idempotency-Key without an id', async () => {
  const name = await newQueue();
  const key = { 'idempotency-key': randomUUID() };
  const [first, again] = [
    await call('POST', `/v1/queues/${name}/tasks`, { payload: 1 }, key),
    await call('POST', `/v1/queues/${name}/tasks`, { payload: 1 }, key),
  ];
  expect([again.headers.get('idempotent-replayed'), again.body.id]).toEqual(['true', first.body.id]);
  expect((await call('GET', `/v1/tasks?queue=${name}`)).body.items).toHaveLength(1);
});

describe('the history of events', () => {
  it('is read as lines', async () => {
    const name = await newQueue();
    const id = await newTask(name);
    const { body, headers } = await call('GET', `/v1/events?queue=${name}`);
    const events = (body as string)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    expect(events.map(({ type, stream }) => [type, stream])).toEqual([
      ['QueueDefined', `queue-${name}`],
      ['TaskEnqueued', `task-${id}`],
    ]);
    expect((await call('GET', `/v1/events?queue=${name}&after=${events[0].position}&limit=1`)).body).toContain(
      'TaskEnqueued',
    );
  });

  it('is filtered by actor', async () => {
    const name = await newQueue();
    await call('POST', `/v1/queues/${name}/pause`, {}, { 'waybill-actor': 'ann' });
    await call('POST', `/v1/queues/${name}/resume`, {}, { 'waybill-actor': 'bob' });
    const typesOf = async (actor: string): Promise<unknown[]> =>
      Array.from(
        ((await call('GET', `/v1/events?queue=${name}&actor=${actor}`)).body as string).matchAll(/"type":"(\w+)"/g),
        ([, type]) => type,
      );
    expect([await typesOf('ann'), await typesOf('bob'), await typesOf('an')]).toEqual([
      ['QueuePaused'],
      ['QueueResumed'],
      [],
    ]);
  });

  it('is followed, and resumed after a broken connection', async () => {
    const name = await newQueue();
    const follow = async (headers: Record<string, string>, count: number) => {
      const cut = new AbortController();
      const response = await fetch(`${service.url}/v1/events/stream?queue=${name}`, { headers, signal: cut.signal });
      let text = '';
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        if ((text.match(/^data: .*\n\n/gm) ?? []).length >= count) break;
      }
      cut.abort();
      return [...text.matchAll(/^id: (\d+)\nevent: (\w+)/gm)].map(([, position, type]) => ({
        position: position!,
        type: type!,
      }));
    };
    await newTask(name);
    const [defined] = await follow({}, 1);
    expect(defined!.type).toBe('QueueDefined');
    const resumed = follow({ 'last-event-id': defined!.position }, 2);
    await call('POST', `/v1/queues/${name}/pause`);
    expect((await resumed).map(({ type }) => type)).toEqual(['TaskEnqueued', 'QueuePaused']);
  });
});

it('reports the lag of the read models, and that it is ready', async () => {
  const { items } = (await call('GET', '/v1/projections')).body;
  expect(items).toContainEqual(
    expect.objectContaining({
      name: 'queue-stats',
      lagSeconds: expect.any(Number),
      lagEvents: isElsewhere ? null : expect.any(Number),
      status: 'running',
    }),
  );
  expect(await call('GET', '/healthz/ready')).toMatchObject({
    status: 200,
    body: {
      status: 'ok',
      details: {
        projections: { status: 'up', lagSeconds: { 'queue-stats': expect.any(Number) } },
        sweeper: { status: 'up' },
      },
    },
  });
  expect((await call('GET', '/healthz/live')).status).toBe(200);
});

it('reports who leads, and how long ago a process swept last', async () => {
  const { lastSweepSeconds, leaders } = await until('a sweep of the last 30 seconds to be told', async () => {
    const { body } = await call('GET', '/v1/system');
    return body.lastSweepSeconds !== null && body.lastSweepSeconds < 30 ? body : null;
  });
  const roles = leaders.map(({ role }: { role: string }) => role);
  expect(roles).toEqual(expect.arrayContaining(['follower queue-stats 1', 'outbox-relay', 'sweeper']));
  const sweeper = leaders.find(({ role }: { role: string }) => role === 'sweeper');
  expect(sweeper).toMatchObject({ state: 'leading', process: expect.stringMatching(`:${process.pid}$`) });
  expect(sweeper.workedSeconds).toBeGreaterThanOrEqual(lastSweepSeconds);
  expect(Date.parse(sweeper.until)).toBeGreaterThan(Date.parse(sweeper.since));
});

it('serves its OpenAPI document, and a page that shows it', async () => {
  expect((await call('GET', '/openapi.json')).body).toMatchObject({ openapi: '3.1.0', info: { title: 'Waybill' } });
  expect(await call('GET', '/docs')).toMatchObject({ status: 200, body: expect.stringContaining('swagger-ui') });
});
