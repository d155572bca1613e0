import { EventEmitter, once } from 'node:events';
import type { InjectOptions } from 'fastify';
import { ClaimTasks } from '../../src/application/claims/claim-tasks.handler.js';
import { ExtendLeases } from '../../src/application/claims/extend-leases.handler.js';
import { SettleTasks } from '../../src/application/claims/settle-tasks.handler.js';
import { ChangePolicy } from '../../src/application/queues/change-policy.handler.js';
import { OperateQueue } from '../../src/application/queues/operate-queue.handler.js';
import { DefineQueue } from '../../src/application/queues/define-queue.handler.js';
import { OperateTask } from '../../src/application/tasks/operate-task.handler.js';
import { EnqueueTasks } from '../../src/application/tasks/enqueue-tasks.handler.js';
import { GetTask, ListTasks } from '../../src/projections/tasks/tasks.queries.js';
import { ListWorkers } from '../../src/projections/worker-roster/worker-roster.queries.js';
import { InvalidCursor } from '../../src/projections/kernel/cursor.js';
import { GetQueue, ListQueues } from '../../src/projections/queues/queues.queries.js';
import { fakeApplication, receipt, type FakeApplication } from './fake-application.js';

const ID = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';

let api: FakeApplication;
let usual: { readonly positions: object; readonly store: object };

beforeAll(async () => {
  api = await fakeApplication();
  usual = { positions: { ...api.positions }, store: { ...api.store } };
});
afterAll(() => api.app.close());
afterEach(() => {
  api.commands.forget();
  api.queries.forget();
  Object.assign(api.positions, usual.positions);
  Object.assign(api.store, usual.store);
});

const HEADERS = { 'waybill-actor': 'ann', 'x-request-id': 'r-1' };
const CONTEXT = { actor: 'ann', correlationId: 'r-1' };
const WHY = { ...CONTEXT, reason: 'r' };

const inject = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, payload?: object, headers: object = {}) =>
  api.app.inject({ method, url, headers: { ...HEADERS, ...headers }, ...(payload && { payload }) } as InjectOptions);

describe('a command on one stream', () => {
  const NEXT_WEEK = '2026-11-28T08:00:00.000Z';
  it.each([
    ['DELETE', '/v1/queues/mail', undefined, new OperateQueue('mail', { type: 'DeleteQueue' }, CONTEXT)],
    ['DELETE', '/v1/queues/mail?reason=r', undefined, new OperateQueue('mail', { type: 'DeleteQueue' }, WHY)],
    [
      'POST',
      '/v1/queues/mail/pause',
      { reason: 'r', until: '2026-11-28T10:00:00+02:00' },
      new OperateQueue('mail', { type: 'PauseQueue', reason: 'r', until: NEXT_WEEK }, WHY),
    ],
    [
      'POST',
      '/v1/queues/mail/pause',
      undefined,
      new OperateQueue('mail', { type: 'PauseQueue', reason: null, until: null }, CONTEXT),
    ],
    ['POST', '/v1/queues/mail/resume', {}, new OperateQueue('mail', { type: 'ResumeQueue' }, CONTEXT)],
    ['POST', '/v1/queues/mail/resume', { reason: 'r' }, new OperateQueue('mail', { type: 'ResumeQueue' }, WHY)],
    [
      'POST',
      '/v1/queues/mail/close-intake',
      { reason: 'r' },
      new OperateQueue('mail', { type: 'CloseIntake', reason: 'r' }, WHY),
    ],
    [
      'POST',
      '/v1/queues/mail/set-limit',
      { label: 'customer', maxRunning: 2 },
      new OperateQueue(
        'mail',
        { type: 'SetLimit', label: 'customer', value: null, limits: { maxRunning: 2 } },
        CONTEXT,
      ),
    ],
    [
      'POST',
      '/v1/queues/mail/unset-limit',
      { label: 'customer', value: 'acme' },
      new OperateQueue('mail', { type: 'UnsetLimit', label: 'customer', value: 'acme' }, CONTEXT),
    ],
    ['POST', '/v1/queues/mail/open-intake', {}, new OperateQueue('mail', { type: 'OpenIntake' }, CONTEXT)],
    ['POST', '/v1/queues/mail/finish', {}, new OperateQueue('mail', { type: 'FinishQueue' }, CONTEXT)],
    ['POST', '/v1/queues/mail/reopen', {}, new OperateQueue('mail', { type: 'ReopenQueue' }, CONTEXT)],
    ['POST', `/v1/tasks/${ID}/submit`, {}, new OperateTask(ID, { type: 'SubmitTask' }, CONTEXT)],
    ['POST', `/v1/tasks/${ID}/hold`, { reason: 'r' }, new OperateTask(ID, { type: 'HoldTask', reason: 'r' }, WHY)],
    ['POST', `/v1/tasks/${ID}/release`, {}, new OperateTask(ID, { type: 'ReleaseTask', approver: 'ann' }, CONTEXT)],
    [
      'POST',
      `/v1/tasks/${ID}/retry`,
      { step: 's', override: true },
      new OperateTask(ID, { type: 'RetryTask', step: 's', override: true }, CONTEXT),
    ],
    [
      'POST',
      `/v1/tasks/${ID}/retry`,
      undefined,
      new OperateTask(ID, { type: 'RetryTask', step: null, override: false }, CONTEXT),
    ],
    [
      'POST',
      `/v1/tasks/${ID}/decide`,
      { decision: 'fail', reason: 'r' },
      new OperateTask(ID, { type: 'DecideFail' }, WHY),
    ],
    ['POST', `/v1/tasks/${ID}/cancel`, { reason: 'r' }, new OperateTask(ID, { type: 'CancelTask', reason: 'r' }, WHY)],
    ['POST', `/v1/tasks/${ID}/abort`, {}, new OperateTask(ID, { type: 'AbortTask', reason: null }, CONTEXT)],
    [
      'POST',
      `/v1/tasks/${ID}/prioritise`,
      { priority: -5 },
      new OperateTask(ID, { type: 'ReprioritiseTask', priority: -5 }, CONTEXT),
    ],
    [
      'POST',
      `/v1/tasks/${ID}/reschedule`,
      { dueAt: NEXT_WEEK },
      new OperateTask(ID, { type: 'RescheduleTask', dueAt: NEXT_WEEK }, CONTEXT),
    ],
    [
      'POST',
      `/v1/tasks/${ID}/reschedule`,
      { dueAt: null },
      new OperateTask(ID, { type: 'RescheduleTask', dueAt: null }, CONTEXT),
    ],
    [
      'POST',
      `/v1/tasks/${ID}/prioritise`,
      { priority: 5, reason: 'r' },
      new OperateTask(ID, { type: 'ReprioritiseTask', priority: 5 }, WHY),
    ],
    [
      'POST',
      `/v1/tasks/${ID}/amend`,
      { payload: null },
      new OperateTask(ID, { type: 'AmendPayload', payload: null }, CONTEXT),
    ],
    [
      'POST',
      `/v1/tasks/${ID}/overrule`,
      { verdict: 'requeue', reason: 'r' },
      new OperateTask(ID, { type: 'OverruleTask', verdict: 'requeue', reason: 'r' }, WHY),
    ],
    [
      'DELETE',
      `/v1/tasks/${ID}?force=true`,
      undefined,
      new OperateTask(ID, { type: 'DeleteTask', force: true }, CONTEXT),
    ],
    ['DELETE', `/v1/tasks/${ID}?reason=r`, undefined, new OperateTask(ID, { type: 'DeleteTask', force: false }, WHY)],
    ['DELETE', `/v1/tasks/${ID}`, undefined, new OperateTask(ID, { type: 'DeleteTask', force: false }, CONTEXT)],
  ] as const)('%s %s (%#) is passed to the application as the expected command', async (method, url, body, command) => {
    api.commands.answer(command.constructor as never, () => receipt('id', { recorded: false }));
    const response = await inject(method, url, body);
    expect(api.commands.executed).toEqual([command]);
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { id: 'id', position: '42', revision: 1, recorded: false },
    ]);
    expect(response.headers['x-request-id']).toBe('r-1');
  });

  it('has an anonymous actor if the request names none', async () => {
    api.commands.answer(OperateQueue, () => receipt('mail'));
    const { headers } = await api.app.inject({ method: 'POST', url: '/v1/queues/mail/resume' });
    const [{ context }] = api.commands.executed as [OperateQueue];
    expect(context).toEqual({ actor: 'anonymous', correlationId: headers['x-request-id'] });
  });
});

describe('a definition', () => {
  const QUEUE = {
    name: 'mail',
    description: 'd',
    state: 'active',
    intake: { open: true },
    pause: null,
    policy: { leaseMs: 1 },
    policyVersion: 3,
  };
  const answered = (more: object) =>
    api.commands.answer(DefineQueue, () => ({ ...receipt('mail'), differences: [], queue: QUEUE, ...more }));

  it.each([
    [
      { description: 'd', policy: { maxLost: 1 }, preset: 'p', replace: true },
      new DefineQueue('mail', 'd', { maxLost: 1 }, CONTEXT, 'p', true),
    ],
    [undefined, new DefineQueue('mail', '', {}, CONTEXT, null, false)],
  ])('%# is passed to the application as the expected command', async (body, command) => {
    answered({ outcome: 'replaced' });
    const response = await inject('PUT', '/v1/queues/mail', body);
    expect(api.commands.executed).toEqual([command]);
    const { name: _, pause: __, ...standing } = QUEUE;
    const facts = { position: '42', revision: 1, recorded: true, outcome: 'replaced', differences: [] };
    expect([response.statusCode, response.json()]).toEqual([200, { id: 'mail', ...facts, ...standing }]);
  });

  it('reports whether the queue is new, and the version of its policy', async () => {
    answered({ outcome: 'created' });
    const made = await inject('PUT', '/v1/queues/mail');
    expect([made.statusCode, made.headers.location, made.headers.etag]).toEqual([201, '/v1/queues/mail', '"3"']);
    answered({ outcome: 'kept', differences: ['leaseMs'] });
    const kept = await inject('PUT', '/v1/queues/mail');
    expect([kept.statusCode, kept.headers.location, kept.headers.etag]).toEqual([200, undefined, '"3"']);
    expect(kept.json()).toMatchObject({ outcome: 'kept', differences: ['leaseMs'] });
  });
});

describe('the policy', () => {
  it('is changed only at the version that the caller has seen', async () => {
    api.commands.answer(ChangePolicy, () => receipt('mail'));
    const changes = { limits: { payloadBytes: 9 } };
    await inject('PUT', '/v1/queues/mail/policy', { ...changes, reason: 'r' }, { 'if-match': '"3"' });
    expect(api.commands.executed).toEqual([new ChangePolicy('mail', null, changes, 3, WHY)]);
  });

  it('is shown with its version as the entity tag', async () => {
    api.queries.answer(GetQueue, () => ({ name: 'mail', policy: { leaseMs: 1 }, policyVersion: 3 }));
    const policy = await inject('GET', '/v1/queues/mail/policy');
    expect([policy.headers.etag, policy.json()]).toEqual(['"3"', { leaseMs: 1 }]);
    expect((await inject('GET', '/v1/queues/mail')).headers.etag).toBe('"3"');
  });
});

describe('an Idempotency-Key', () => {
  const keyed = async (url: string, body: object, key = 'k') => {
    api.commands.answer(OperateQueue, ({ operation }) =>
      receipt('mail', { replayed: operation.type === 'PauseQueue' }),
    );
    const response = await inject('POST', url, body, { 'idempotency-key': key });
    const { context } = api.commands.executed.at(-1) as OperateQueue;
    return { response, ...context.idempotencyKey! };
  };

  it('recognises a request whatever the order of its members', async () => {
    const until = '2026-11-28T08:00:00.000Z';
    const { key, fingerprint } = await keyed('/v1/queues/mail/pause', { reason: 'r', until });
    expect([key, fingerprint]).toEqual(['k', expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect((await keyed('/v1/queues/mail/pause', { until, reason: 'r' })).fingerprint).toBe(fingerprint);
  });

  it('distinguishes another body, another queue and another operation', async () => {
    const prints = [
      await keyed('/v1/queues/mail/close-intake', { reason: 'r' }),
      await keyed('/v1/queues/mail/close-intake', { reason: 's' }),
      await keyed('/v1/queues/post/close-intake', { reason: 'r' }),
      await keyed('/v1/queues/mail/pause', { reason: 'r' }),
    ].map(({ fingerprint }) => fingerprint);
    expect(new Set(prints).size).toBe(4);
  });

  it('reports that the answer is an earlier one', async () => {
    expect((await keyed('/v1/queues/mail/pause', {})).response.headers['idempotent-replayed']).toBe('true');
    expect((await keyed('/v1/queues/mail/close-intake', {})).response.headers['idempotent-replayed']).toBeUndefined();
  });
});

describe('an enqueue', () => {
  const enqueued = (status: string, more: object = {}) => ({ kind: 'done', status, receipt: receipt(ID, more) });

  it('passes on every field', async () => {
    api.commands.answer(EnqueueTasks, () => [enqueued('enqueued')]);
    const task = {
      key: 'k',
      reference: 'r',
      priority: 1,
      labels: { a: 'b' },
      description: 'd',
      payload: [1],
      hold: { reason: 'h' },
      prepared: true,
    };
    const response = await inject('POST', '/v1/queues/mail/tasks', {
      id: ID,
      kind: 'x',
      ...task,
      dueAt: '2026-11-28T08:00:00Z',
    });
    const item = { taskId: ID, queue: 'mail', kind: 'x', ...task, dueAt: '2026-11-28T08:00:00.000Z' };
    expect(api.commands.executed).toEqual([new EnqueueTasks([item], CONTEXT)]);
    expect([response.statusCode, response.headers.location]).toEqual([201, `/v1/tasks/${ID}`]);
    expect(response.json()).toEqual({ id: ID, status: 'enqueued', position: '42', revision: 1 });
  });

  it.each(['existing', 'replaced'])('of an %s task creates nothing', async (status) => {
    api.commands.answer(EnqueueTasks, () => [enqueued(status)]);
    const { statusCode, headers } = await inject('POST', '/v1/queues/mail/tasks', {});
    expect([statusCode, headers.location]).toEqual([200, undefined]);
  });

  it('of a batch returns results item by item, and the highest position', async () => {
    api.commands.answer(EnqueueTasks, () => [
      enqueued('enqueued', { position: '99' }),
      { kind: 'refused', rejection: { code: 'QUEUE_NOT_FOUND', queue: 'post' } },
      enqueued('existing', { position: '100' }),
      enqueued('replaced', { position: '98' }),
    ]);
    const response = await inject('POST', '/v1/tasks/batch', {
      tasks: [{ queue: 'mail' }, { queue: 'post' }, { queue: 'mail' }, { queue: 'mail' }],
    });
    expect([response.statusCode, response.json()]).toEqual([
      200,
      {
        results: [
          { id: ID, status: 'enqueued', position: '99', revision: 1 },
          { problem: expect.objectContaining({ code: 'QUEUE_NOT_FOUND', status: 404, queue: 'post' }) },
          { id: ID, status: 'existing', position: '100', revision: 1 },
          { id: ID, status: 'replaced', position: '98', revision: 1 },
        ],
        position: '100',
        deduplicated: 2,
      },
    ]);
  });

  it('of a batch has no position if every item is refused', async () => {
    api.commands.answer(EnqueueTasks, () => [
      { kind: 'refused', rejection: { code: 'QUEUE_NOT_FOUND', queue: 'post' } },
    ]);
    const response = await inject('POST', '/v1/tasks/batch', { tasks: [{ queue: 'post' }] });
    expect(response.json()).toMatchObject({ position: null });
  });
});

describe('a claim', () => {
  it('has defaults, and the worker as its actor', async () => {
    api.commands.answer(ClaimTasks, () => ({ tasks: [{ taskId: ID }], position: '7', refusal: null }));
    const response = await api.app.inject({ method: 'POST', url: '/v1/queues/mail/claims', payload: { worker: 'w1' } });
    expect(response.json()).toEqual({ tasks: [{ taskId: ID }], position: '7' });
    const claims = api.commands.executed.filter((command) => command instanceof ClaimTasks);
    expect(claims).toHaveLength(1);
    const { signal: _, ...request } = claims[0]!.request;
    expect(request).toMatchObject({
      queue: 'mail',
      worker: 'w1',
      server: 'w1',
      max: 1,
      waitMs: 0,
      leaseMs: null,
      context: { actor: 'w1' },
    });
    expect(request.claimId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    [
      { code: 'QUEUE_HELD', consumer: { worker: 'w2', server: 's2', taskId: ID, until: '2026-03-01T10:00:00.000Z' } },
      `Expected to be the only consumer of queue 'mail', but worker 'w2' on server 's2' works on task '${ID}' until 2026-03-01T10:00:00.000Z`,
    ],
    [
      { code: 'QUEUE_CONFLICTED', running: [{ worker: 'w2', server: 's2', taskId: ID }] },
      `Expected only one task of the serial queue 'mail' to run, but several do: '${ID}' of worker 'w2'`,
    ],
    [
      { code: 'SERVER_FULL', server: 's1', running: 2 },
      `Expected server 's1' to have room for queue 'mail', but it runs 2 of its tasks`,
    ],
    [
      { code: 'QUEUE_FULL', running: 4 },
      `Expected room for another task of queue 'mail', but 4 of its tasks are running`,
    ],
  ] as const)('reports why it got no task: %o', async (refusal, detail) => {
    api.commands.answer(ClaimTasks, () => ({ tasks: [], position: null, refusal }));
    const response = await api.app.inject({ method: 'POST', url: '/v1/queues/mail/claims', payload: { worker: 'w1' } });
    expect(response.json()).toEqual({ tasks: [], position: null, refusal: { ...refusal, detail } });
  });

  it('is refused with 429 when enough tasks run for its API key, as a quota is', async () => {
    const refusal = { code: 'HOLDER_FULL', holder: 'shop', most: 2, running: 2 } as const;
    api.commands.answer(ClaimTasks, () => ({ tasks: [], position: null, refusal }));
    const response = await api.app.inject({ method: 'POST', url: '/v1/queues/mail/claims', payload: { worker: 'w1' } });
    expect([response.statusCode, response.headers.ratelimit]).toEqual([429, '"running";r=0']);
    expect(response.json()).toMatchObject({
      ...refusal,
      detail: `Expected at most 2 tasks to run for the API key 'shop', but 2 do`,
    });
  });

  it('is cancelled when its caller leaves', async () => {
    const steps = new EventEmitter();
    const [begun, aborted] = [once(steps, 'begun'), once(steps, 'aborted')];
    api.commands.answer(ClaimTasks, async ({ request: { signal } }) => {
      signal.addEventListener('abort', () => steps.emit('aborted'));
      steps.emit('begun');
      await aborted;
      return { tasks: [], position: null, refusal: null };
    });
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const abandoned = new AbortController();
    const request = fetch(`${await api.app.getUrl()}/v1/queues/mail/claims`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ worker: 'w1', waitMs: 60_000 }),
      signal: abandoned.signal,
    });
    await begun;
    abandoned.abort();
    await expect(request).rejects.toThrow('aborted');
    await aborted;
  });

  it('that was lost is refused with the name of the worker that has the task now', async () => {
    api.commands.answer(ExtendLeases, () => [{ taskId: ID, kind: 'lost' }]);
    api.queries.answer(GetTask, () => ({ state: 'running', attempt: 2, worker: 'w2' }));
    expect((await inject('POST', `/v1/tasks/${ID}/extend`, { token: '1.a' })).json()).toMatchObject({
      status: 409,
      code: 'LEASE_LOST',
      state: 'running',
      attempt: 2,
      heldBy: 'w2',
    });
  });

  it('is extended, alone or in a batch', async () => {
    const extended = { taskId: ID, kind: 'extended', deadline: '2026-11-28T08:00:00.000Z', cancelRequested: false };
    api.commands.answer(ExtendLeases, () => [extended]);
    expect((await inject('POST', `/v1/tasks/${ID}/extend`, { token: '1.a' })).json()).toEqual(extended);
    const batch = await inject('POST', '/v1/leases/extend', { items: [{ taskId: ID, token: '1.a' }] });
    expect(batch.json()).toEqual({ results: [extended] });
  });
});

describe('a settlement', () => {
  const done = { kind: 'done', receipt: receipt(ID), state: 'succeeded' };
  it.each([
    ['succeed', { result: { a: 1 }, noChange: true }, { type: 'succeed', result: { a: 1 }, noChange: true }],
    [
      'fail',
      { error: { message: 'm' }, final: true, retryAfterMs: 5 },
      { type: 'fail', error: { message: 'm' }, final: true, retryAfterMs: 5 },
    ],
    ['complete-step', { step: 's', then: 'offer' }, { type: 'completeStep', step: 's', then: 'offer' }],
    [
      'report-error',
      { error: { message: 'm', class: 'bug' } },
      { type: 'reportError', error: { message: 'm', class: 'bug' } },
    ],
    ['return', {}, { type: 'return' }],
    ['confirm-cancel', {}, { type: 'confirmCancel' }],
    ['cancel-run', { reason: 'stop' }, { type: 'cancel', reason: 'stop' }],
  ])('%s', async (verb, body, verdict) => {
    api.commands.answer(SettleTasks, () => [done]);
    const response = await inject('POST', `/v1/tasks/${ID}/${verb}`, { token: '1.a', ...body });
    expect(api.commands.executed).toEqual([
      new SettleTasks([{ taskId: ID, token: '1.a', verdict: verdict as never }], CONTEXT),
    ]);
    expect(response.json()).toEqual({ id: ID, position: '42', revision: 1, recorded: true, state: 'succeeded' });
  });

  describe('of a batch', () => {
    const item = { taskId: ID, token: '1.a', verdict: { type: 'succeed' } };
    const lost = { code: 'LEASE_LOST', state: 'pending', attempt: 1, heldBy: null };
    const refused = { kind: 'refused', rejection: lost };

    it('returns results item by item, and the highest position', async () => {
      api.commands.answer(SettleTasks, () => [{ ...done, receipt: receipt(ID, { position: '100' }) }, refused, done]);
      const settled = { id: ID, position: '42', revision: 1, recorded: true, state: 'succeeded' };
      expect((await inject('POST', '/v1/settlements', { items: [item, item, item] })).json()).toEqual({
        results: [
          { ...settled, position: '100' },
          { problem: expect.objectContaining({ code: 'LEASE_LOST', status: 409, attempt: 1 }) },
          settled,
        ],
        position: '100',
      });
    });

    it('has no position if every item is refused', async () => {
      api.commands.answer(SettleTasks, () => [refused]);
      expect((await inject('POST', '/v1/settlements', { items: [item] })).json()).toMatchObject({ position: null });
    });
  });
});

describe('a command whose events the index has not applied', () => {
  beforeEach(() => {
    api.store.isIndexed = async (position) => position < 42n;
  });
  it('says so', async () => {
    api.commands.answer(EnqueueTasks, () => [{ kind: 'done', status: 'enqueued', receipt: receipt(ID) }]);
    const response = await inject('POST', '/v1/queues/mail/tasks', {});
    expect(response.json()).toMatchObject({ position: '42', indexed: false });
  });

  it('says so of many at once', async () => {
    const done = { kind: 'done', status: 'enqueued', receipt: receipt(ID) };
    api.commands.answer(EnqueueTasks, () => [{ ...done, receipt: receipt(ID, { position: '41' }) }, done]);
    const body = { tasks: [{ queue: 'mail' }, { queue: 'mail' }] };
    expect((await inject('POST', '/v1/tasks/batch', body)).json()).toMatchObject({ position: '42', indexed: false });
  });

  it('says nothing of a command that the index has applied', async () => {
    const done = { kind: 'done', status: 'enqueued', receipt: receipt(ID, { position: '41' }) };
    api.commands.answer(EnqueueTasks, () => [done]);
    expect((await inject('POST', '/v1/queues/mail/tasks', {})).json()).not.toHaveProperty('indexed');
  });
});

describe('a query', () => {
  it('waits for the requested position, and reports how new its answer is', async () => {
    const waited: unknown[] = [];
    api.positions.waitFor = async (...wait) => {
      waited.push(wait);
      return 7n;
    };
    api.queries.answer(GetTask, () => ({ id: ID, traces: [] }));
    const response = await inject('GET', `/v1/tasks/${ID}?minPosition=5`);
    expect(waited).toEqual([['tasks', 5n, 2_000]]);
    expect([response.headers['x-as-of-position'], response.json()]).toEqual(['7', { id: ID, traces: [] }]);
  });

  it('is refused if the position is not reached in time', async () => {
    api.positions.waitFor = async () => null;
    const response = await inject('GET', '/v1/queues/mail/stats?minPosition=9');
    expect(response.json()).toMatchObject({
      status: 503,
      code: 'PROJECTION_BEHIND',
      type: 'https://waybill.dev/problems/projection-behind',
    });
    expect(response.headers['retry-after']).toBe('1');
    expect(api.queries.executed).toEqual([]);
  });

  it('that finds nothing looks again once its model lacks nothing that was stored before', async () => {
    const looks = [null, { id: ID, traces: [] }];
    const asked: unknown[] = [];
    api.positions.lackedAt = async (...state) => {
      asked.push(state);
      return 9n;
    };
    api.positions.waitFor = async (...wait) => {
      asked.push(wait);
      return 10n;
    };
    api.queries.answer(GetTask, () => looks.shift()!);
    const response = await inject('GET', `/v1/tasks/${ID}`);
    expect([response.statusCode, response.headers['x-as-of-position']]).toEqual([200, '10']);
    expect(asked).toEqual([
      ['tasks', 7n],
      ['tasks', 9n, 2_000],
    ]);
  });

  it('that finds nothing says so at once if its model lacks nothing', async () => {
    api.positions.waitFor = () => Promise.reject(new Error('Expected no wait'));
    api.queries.answer(GetTask, () => null);
    expect((await inject('GET', `/v1/tasks/${ID}`)).json()).toMatchObject({ code: 'TASK_NOT_FOUND' });
    expect(api.queries.executed).toHaveLength(1);
  });

  it('does not say that something is not there while its model lacks events, and waits once for all', async () => {
    const waited: unknown[] = [];
    api.positions.lackedAt = async () => 9n;
    api.positions.waitFor = async (_model, ...wait) => {
      waited.push(wait);
      return null;
    };
    api.queries.answer(GetTask, () => null);
    for (let request = 0; request < 3; request++)
      expect((await inject('GET', `/v1/tasks/${ID}`)).json()).toMatchObject({ code: 'PROJECTION_BEHIND' });
    expect(waited).toEqual([
      [9n, 2_000],
      [9n, 0],
      [9n, 0],
    ]);
    api.positions.waitFor = async (_model, position) => position;
    expect((await inject('GET', `/v1/tasks/${ID}`)).json()).toMatchObject({ code: 'TASK_NOT_FOUND' });
  });

  it('for tasks passes on its filter', async () => {
    api.queries.answer(ListTasks, () => ({ items: [], nextCursor: null }));
    await inject('GET', '/v1/tasks?queue=mail&state=failed&key=k&label=a:b:c&cursor=xyz&limit=7');
    const filter = { queue: 'mail', state: 'failed', key: 'k', label: { name: 'a', value: 'b:c' } } as const;
    expect(api.queries.executed).toEqual([new ListTasks(filter, 'xyz', 7)]);
  });

  it.each([
    ['queues', ListQueues],
    ['workers', ListWorkers],
  ] as const)('for %s continues where the previous page ended', async (list, Query) => {
    api.queries.answer<object>(Query, () => ({ items: [], nextCursor: null }));
    expect((await inject('GET', `/v1/${list}?cursor=xyz&limit=7`)).json()).toEqual({ items: [], nextCursor: null });
    await inject('GET', `/v1/${list}`);
    expect(api.queries.executed).toEqual([new Query('xyz', 7), new Query(null, 100)]);
    expect((await inject('GET', `/v1/${list}?limit=501`)).json()).toMatchObject({
      status: 400,
      errors: [{ pointer: '#/query/limit' }],
    });
  });

  it.each([
    ['queues', ListQueues],
    ['workers', ListWorkers],
  ] as const)("for %s refuses another list's cursor", async (list, Query) => {
    api.queries.answer<object>(Query, () => Promise.reject(new InvalidCursor('Expected a cursor of this list, but …')));
    expect((await inject('GET', `/v1/${list}?cursor=abc`)).json()).toMatchObject({
      status: 400,
      errors: [{ pointer: '#/query/cursor' }],
    });
  });

  it('for failed tasks is refused if the queue is unknown', async () => {
    const { readStreams } = api.store;
    api.store.readStreams = async (streams) => streams.map(() => []);
    api.queries.answer(ListTasks, () => ({ items: [], nextCursor: null }));
    const refused = await inject('GET', '/v1/queues/mail/failed');
    api.store.readStreams = readStreams;
    expect(refused.json()).toMatchObject({ code: 'QUEUE_NOT_FOUND', queue: 'mail' });
  });
});
