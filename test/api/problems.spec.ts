import { QueryRunnerAlreadyReleasedError } from 'typeorm';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  EventStoreUnavailable,
  Refused,
  StreamContentionError,
  type Rejection,
} from '../../src/application/kernel/application-error.js';
import { OPERATIONS } from '@waybill/contracts';
import { OPERATOR_COMMANDS, TASK_COMMANDS } from '../../src/domain/task/task.commands.js';
import { OperateQueue } from '../../src/application/queues/operate-queue.handler.js';
import { InvalidCursor } from '../../src/projections/kernel/cursor.js';
import { ListTasks } from '../../src/projections/tasks/tasks.queries.js';
import { GetProjectionLag } from '../../src/projections/lag/lag.queries.js';
import { ListLeaders } from '../../src/projections/system/leaders.queries.js';
import { REJECTIONS } from '../../src/api/problems/problem.js';
import { verbsOf } from '../../src/api/problems/verbs.js';
import { fakeApplication, type FakeApplication } from './fake-application.js';

let api: FakeApplication;
beforeAll(async () => (api = await fakeApplication()));
afterAll(() => api.app.close());

async function answerTo(error: unknown) {
  api.commands.answer(OperateQueue, () => Promise.reject(error as Error));
  return api.app.inject({ method: 'POST', url: '/v1/queues/mail/resume', headers: { 'x-request-id': 'r-1' } });
}

/** One refusal of each kind, with the data on which callers branch. */
const REFUSALS: {
  readonly [C in Rejection['code']]: readonly [status: number, Extract<Rejection, { readonly code: C }>];
} = {
  TASK_NOT_FOUND: [404, { code: 'TASK_NOT_FOUND' }],
  NO_TASK_MATCHES: [422, { code: 'NO_TASK_MATCHES' }],
  CHANGED_SINCE_PREVIEW: [409, { code: 'CHANGED_SINCE_PREVIEW', position: '7' }],
  CHANGED_SINCE_OPERATION: [409, { code: 'CHANGED_SINCE_OPERATION', event: 'TaskClaimed', position: '7' }],
  OPERATION_UNDER_WAY: [409, { code: 'OPERATION_UNDER_WAY', state: 'running' }],
  OPERATION_NOT_UNDOABLE: [409, { code: 'OPERATION_NOT_UNDOABLE', kind: 'runAgain' }],
  QUEUE_RESERVED: [403, { code: 'QUEUE_RESERVED', queue: 'waybill.operations' }],
  LABEL_RESERVED: [403, { code: 'LABEL_RESERVED', label: 'waybill.expires' }],
  TASK_EXISTS: [409, { code: 'TASK_EXISTS' }],
  ILLEGAL_TRANSITION: [
    409,
    { code: 'ILLEGAL_TRANSITION', command: 'RetryTask', state: 'running', allowed: ['CancelTask', 'AbortTask'] },
  ],
  COMMAND_NOT_OFFERED: [
    409,
    {
      code: 'COMMAND_NOT_OFFERED',
      command: 'RetryTask',
      state: 'FAILED',
      preset: 'cluster-tasks',
      offered: ['DecideRetry'],
    },
  ],
  TASK_ALREADY_CLAIMED: [409, { code: 'TASK_ALREADY_CLAIMED', by: 'w1', attempt: 3 }],
  LEASE_LOST: [409, { code: 'LEASE_LOST', state: 'running', attempt: 3, heldBy: 'w1' }],
  CANCEL_NOT_REQUESTED: [409, { code: 'CANCEL_NOT_REQUESTED' }],
  STEP_NOT_RESUMABLE: [409, { code: 'STEP_NOT_RESUMABLE', step: 'a' }],
  GATHER_NOT_POSSIBLE: [422, { code: 'GATHER_NOT_POSSIBLE', queue: 'q', beside: 'search' }],
  NOT_GATHERED: [422, { code: 'NOT_GATHERED', queue: 'q', because: 'key' }],
  NOT_GATHERING: [409, { code: 'NOT_GATHERING', because: 'begun' }],
  PRIORITY_NOT_TAKEN: [422, { code: 'PRIORITY_NOT_TAKEN', queue: 'q' }],
  NEEDS_NOT_TAKEN: [422, { code: 'NEEDS_NOT_TAKEN', queue: 'q' }],
  NEEDS_NOT_POSSIBLE: [422, { code: 'NEEDS_NOT_POSSIBLE', queue: 'q', beside: 'fair' }],
  NEEDS_NOT_MET: [409, { code: 'NEEDS_NOT_MET', needs: { gpu: true } }],
  DATA_TOO_LARGE: [413, { code: 'DATA_TOO_LARGE', bytes: 70_000, limit: 65_536 }],
  STEP_UNKNOWN: [422, { code: 'STEP_UNKNOWN', step: 'z', steps: ['a', 'b'] }],
  SIGNALS_FULL: [409, { code: 'SIGNALS_FULL', signals: 100, bytes: 5 }],
  HISTORY_FULL: [409, { code: 'HISTORY_FULL', events: 1_000, bytes: 5 }],
  STEP_OUT_OF_ORDER: [409, { code: 'STEP_OUT_OF_ORDER', step: 'b', expected: 'a' }],
  RETRY_STEP_NEEDS_OVERRIDE: [409, { code: 'RETRY_STEP_NEEDS_OVERRIDE', step: 'b', implied: 'a' }],
  TASK_ERASED: [409, { code: 'TASK_ERASED' }],
  ERASURE_NOT_POSSIBLE: [409, { code: 'ERASURE_NOT_POSSIBLE', because: 'EventStoreDB' }],
  APPROVAL_NEEDED: [409, { code: 'APPROVAL_NEEDED', by: 'dora' }],
  ERASURE_FORBIDDEN: [409, { code: 'ERASURE_FORBIDDEN', hold: 'lawsuit', by: 'ann', reason: 'case 7' }],
  TASK_NOT_ENDED: [409, { code: 'TASK_NOT_ENDED', state: 'running' }],
  TASK_NOT_REPEATABLE: [409, { code: 'TASK_NOT_REPEATABLE', because: 'job' }],
  FAILURE_IS_FINAL: [409, { code: 'FAILURE_IS_FINAL' }],
  REASON_REQUIRED: [422, { code: 'REASON_REQUIRED' }],
  KEY_ALREADY_WAITING: [409, { code: 'KEY_ALREADY_WAITING', key: 'k', conflictingTaskId: 'id' }],
  HOLDER_FULL: [429, { code: 'HOLDER_FULL', holder: 'shop', most: 2, running: 2 }],
  KEY_BUSY: [409, { code: 'KEY_BUSY', key: 'k', conflictingTaskId: 'id' }],
  REFERENCE_IN_USE: [
    409,
    { code: 'REFERENCE_IN_USE', reference: 'r', conflictingTaskId: 'id', uniqueReference: 'open' },
  ],
  PREREQUISITE_NOT_FOUND: [422, { code: 'PREREQUISITE_NOT_FOUND', prerequisite: 'p' }],
  PREREQUISITE_DEAD: [409, { code: 'PREREQUISITE_DEAD', prerequisite: 'p', state: 'aborted' }],
  PREREQUISITE_CYCLE: [409, { code: 'PREREQUISITE_CYCLE', cycle: ['a', 'b'] }],
  GRAPH_TOO_LARGE: [409, { code: 'GRAPH_TOO_LARGE', limit: 20_000 }],
  TASK_AWAITED: [409, { code: 'TASK_AWAITED', awaitedBy: 'a' }],
  BATCH_NOT_FOUND: [404, { code: 'BATCH_NOT_FOUND', batch: 'b' }],
  BATCH_ERASED: [409, { code: 'BATCH_ERASED' }],
  BATCH_NOT_ENDED: [409, { code: 'BATCH_NOT_ENDED', state: 'running' }],
  BATCH_EXISTS: [409, { code: 'BATCH_EXISTS' }],
  BATCH_ILLEGAL_TRANSITION: [
    409,
    { code: 'BATCH_ILLEGAL_TRANSITION', command: 'OpenBatch', state: 'failed', allowed: ['AbortBatch'] },
  ],
  BATCH_COMMAND_NOT_OFFERED: [
    409,
    {
      code: 'BATCH_COMMAND_NOT_OFFERED',
      command: 'AbortBatch',
      state: 'Held',
      preset: 'repository',
      offered: ['ReleaseBatch'],
    },
  ],
  RE_RUNS_REPORTED_OTHERWISE: [409, { code: 'RE_RUNS_REPORTED_OTHERWISE', reRunReporting: 'own' }],
  RE_RUN_REPORTING_FIXED: [409, { code: 'RE_RUN_REPORTING_FIXED', queue: 'submissions', reRunReporting: 'update' }],
  BATCH_RUNS_AGAIN: [409, { code: 'BATCH_RUNS_AGAIN', rerun: 'r' }],
  RERUN_IN_BATCH: [409, { code: 'RERUN_IN_BATCH', batch: 'b' }],
  BATCH_WITHOUT_PLANNER: [409, { code: 'BATCH_WITHOUT_PLANNER', batch: 'b' }],
  BATCH_INCOMPLETE: [409, { code: 'BATCH_INCOMPLETE', expected: 8, actual: 7 }],
  BATCH_ENDED: [409, { code: 'BATCH_ENDED', batch: 'b', state: 'completed' }],
  BATCH_AWAITED: [409, { code: 'BATCH_AWAITED', awaitedBy: 't' }],
  QUEUE_NOT_FOUND: [404, { code: 'QUEUE_NOT_FOUND', queue: 'mail' }],
  QUEUE_ILLEGAL_TRANSITION: [
    409,
    { code: 'QUEUE_ILLEGAL_TRANSITION', command: 'ResumeQueue', state: 'finished', allowed: ['ReopenQueue'] },
  ],
  POLICY_VERSION_MISMATCH: [412, { code: 'POLICY_VERSION_MISMATCH', expected: 2, actual: 3 }],
  START_NOT_ALLOWED: [409, { code: 'START_NOT_ALLOWED', queue: 'mail', because: 'limited' }],
  INTAKE_CLOSED: [409, { code: 'INTAKE_CLOSED', queue: 'mail', by: 'ann', reason: 'we move' }],
  QUEUE_FINISHED: [409, { code: 'QUEUE_FINISHED', queue: 'mail' }],
  QUEUE_NOT_EMPTY: [409, { code: 'QUEUE_NOT_EMPTY', queue: 'mail' }],
  PRESET_NOT_FOUND: [422, { code: 'PRESET_NOT_FOUND', preset: 'robots', known: ['archive-files'] }],
  DRAINING: [409, { code: 'DRAINING', by: 'ann', reason: 'we deploy' }],
  FAILURE_GROUP_NOT_FOUND: [404, { code: 'FAILURE_GROUP_NOT_FOUND', group: 'g3fa9c01d22b7e48' }],
  OPERATION_NOT_FOUND: [404, { code: 'OPERATION_NOT_FOUND', operation: '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f' }],
  LEGAL_HOLD_IN_FORCE: [403, { code: 'LEGAL_HOLD_IN_FORCE', hold: 'case-7' }],
  LOSS_NOT_FOUND: [409, { code: 'LOSS_NOT_FOUND', size: 7, lost: 9 }],
  VIEW_NOT_FOUND: [404, { code: 'VIEW_NOT_FOUND', view: 'late' }],
  TOO_MANY_VIEWS: [409, { code: 'TOO_MANY_VIEWS', most: 100 }],
  LOG_NOT_SEALED: [409, { code: 'LOG_NOT_SEALED', log: 'waybill/a', sealed: 'waybill/a/2' }],
  HOLD_NOT_FOUND: [404, { code: 'HOLD_NOT_FOUND', hold: 'collection-7' }],
  RESOURCE_NOT_FOUND: [404, { code: 'RESOURCE_NOT_FOUND', resource: 'storage' }],
  RESOURCE_NEEDED: [409, { code: 'RESOURCE_NEEDED', resource: 'storage', queue: 'jobs', step: 'Provisioning' }],
  HOLD_IN_FORCE: [409, { code: 'HOLD_IN_FORCE', hold: 'collection-7', by: 'curator', reason: 'rights' }],
  TRIGGER_NOT_FOUND: [404, { code: 'TRIGGER_NOT_FOUND', trigger: 'nightly' }],
  TRIGGER_CYCLE: [422, { code: 'TRIGGER_CYCLE', cycle: ['invoices', 'repairs'] }],
  TOO_MANY_OWED: [
    409,
    { code: 'TOO_MANY_OWED', count: 3, from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' },
  ],
  NOTHING_READY: [409, { code: 'NOTHING_READY', queue: 'invoices' }],
  NOT_PREVIEWED: [409, { code: 'NOT_PREVIEWED', trigger: 'invoices' }],
  CRON_INVALID: [422, { code: 'CRON_INVALID', cron: '* * * * *', reason: 'no such zone' }],
  POLICY_CONTRADICTORY: [422, { code: 'POLICY_CONTRADICTORY', queue: 'mail', duplicatePending: 'refuse' }],
  SEARCH_NOT_POSSIBLE: [
    422,
    { code: 'SEARCH_NOT_POSSIBLE', queue: 'mail', search: ['order.id'], beside: 'payloadsOutsideAboveBytes' },
  ],
  LABEL_NOT_LIMITED: [422, { code: 'LABEL_NOT_LIMITED', queue: 'mail', label: 'customer' }],
  LABEL_VALUE_TWICE: [422, { code: 'LABEL_VALUE_TWICE', queue: 'mail', label: 'customer', labelValue: 'acme' }],
  LABEL_DIFFERS: [422, { code: 'LABEL_DIFFERS', queue: 'mail', label: 'customer', given: 'site' }],
  TOO_MANY_LIMITS: [422, { code: 'TOO_MANY_LIMITS', queue: 'mail', most: 1_000 }],
  FAIR_LABEL_DIFFERS: [422, { code: 'FAIR_LABEL_DIFFERS', queue: 'mail', label: 'tenant', limited: 'site' }],
  AWAITED_QUEUE_NOT_FOUND: [422, { code: 'AWAITED_QUEUE_NOT_FOUND', queue: 'mail', awaited: 'print' }],
  QUEUES_WAIT_IN_CYCLE: [409, { code: 'QUEUES_WAIT_IN_CYCLE', queue: 'mail', cycle: ['mail', 'print'] }],
  PAUSE_IN_THE_PAST: [
    422,
    { code: 'PAUSE_IN_THE_PAST', queue: 'mail', until: '2026-11-28T08:00:00.000Z', now: '2026-11-28T08:00:01.000Z' },
  ],
  QUEUE_AWAITED: [409, { code: 'QUEUE_AWAITED', queue: 'mail', by: 'print' }],
  KEY_REQUIRED: [422, { code: 'KEY_REQUIRED', queue: 'mail' }],
  KIND_NOT_ACCEPTED: [422, { code: 'KIND_NOT_ACCEPTED', queue: 'mail', kind: 'parcel', kinds: ['letter', 'card'] }],
  PAYLOAD_SCHEMA_INVALID: [
    422,
    { code: 'PAYLOAD_SCHEMA_INVALID', queue: 'mail', kind: 'letter', because: 'strict mode: unknown keyword: "typ"' },
  ],
  PAYLOAD_INVALID: [
    422,
    {
      code: 'PAYLOAD_INVALID',
      queue: 'mail',
      kind: 'letter',
      policyVersion: 3,
      at: '/to',
      because: 'must be string',
    },
  ],
  PAYLOAD_DIGEST_MISMATCH: [422, { code: 'PAYLOAD_DIGEST_MISMATCH', given: 'a'.repeat(64), actual: 'b'.repeat(64) }],
  PAYLOAD_TOO_LARGE: [413, { code: 'PAYLOAD_TOO_LARGE', bytes: 11, limit: 10 }],
  PAYLOAD_MISSING: [409, { code: 'PAYLOAD_MISSING', sha256: 'ab' }],
  PAYLOAD_CHANGED: [409, { code: 'PAYLOAD_CHANGED', sha256: 'ab' }],
  PAYLOAD_STORE_UNAVAILABLE: [503, { code: 'PAYLOAD_STORE_UNAVAILABLE' }],
  IDEMPOTENCY_KEY_REUSED: [422, { code: 'IDEMPOTENCY_KEY_REUSED' }],
  TRANSACTION_TOO_LARGE: [413, { code: 'TRANSACTION_TOO_LARGE', bytes: 11, limit: 10 }],
  EVENT_TOO_LARGE: [413, { code: 'EVENT_TOO_LARGE', bytes: 11, limit: 10 }],
  CONTENTION: [503, { code: 'CONTENTION' }],
  STORE_UNAVAILABLE: [503, { code: 'STORE_UNAVAILABLE' }],
  COMMAND_FAILED: [500, { code: 'COMMAND_FAILED' }],
  CLAIM_ID_REUSED: [422, { code: 'CLAIM_ID_REUSED' }],
  TOO_MANY_WAITING: [429, { code: 'TOO_MANY_WAITING', waiting: 10_000 }],
  STREAM_UNREADABLE: [
    409,
    { code: 'STREAM_UNREADABLE', stream: 'task-1', position: '7', reason: 'it has an event of a later version' },
  ],
};

it.each(Object.values(REFUSALS))('answers %i with the data of %j', async (status, rejection) => {
  const response = await answerTo(new Refused(rejection));
  const { code, ...data } = rejection;
  expect([response.statusCode, response.headers['content-type']]).toEqual([
    status,
    'application/problem+json; charset=utf-8',
  ]);
  expect(response.json()).toEqual({
    type: `https://waybill.dev/problems/${code.toLowerCase().replaceAll('_', '-')}`,
    title: REJECTIONS[code].title,
    status,
    detail: expect.stringMatching(/^Expected .+, but .+/),
    instance: '/v1/queues/mail/resume',
    code,
    traceId: 'r-1',
    ...data,
  });
});

it('describes in words what the data says', async () => {
  const detail = async (of: Rejection['code']) => (await answerTo(new Refused(REFUSALS[of][1]))).json().detail;
  expect(await detail('ILLEGAL_TRANSITION')).toBe(
    "Expected a task that allows 'retry', but it is running, which allows cancel, abort",
  );
  expect(await detail('LEASE_LOST')).toBe(
    "Expected the token of the current claim, but worker 'w1' has the task (attempt 3)",
  );
  expect(await detail('REFERENCE_IN_USE')).toBe(
    "Expected reference 'r' to be free, but task 'id' has it, perhaps in the archive: " +
      "the queue's uniqueReference is 'open', so the task's success, abort or deletion frees it",
  );
  expect(await detail('INTAKE_CLOSED')).toBe(
    "Expected the intake of queue 'mail' to be open, but 'ann' closed it: we move",
  );
});

it('names commands as callers type them', async () => {
  const typed = Object.entries(OPERATIONS).flatMap(([operation, { path }]) =>
    path.startsWith('/v1/tasks/{id}') ? operation.replace(/Task$/, '') : [],
  );
  for (const command of OPERATOR_COMMANDS) {
    const refusal = { code: 'ILLEGAL_TRANSITION', command, state: 'deleted', allowed: [] } as const;
    const { detail } = (await answerTo(new Refused(refusal))).json();
    expect(typed).toContain(
      /^Expected a task that allows '(\w+)( \w+)?', but it is deleted, which allows nothing$/.exec(detail)?.[1],
    );
  }
});

it('names no command that nobody can give, and none twice', () => {
  const typed = [
    ...Object.keys(OPERATIONS).map((operation) => operation.replace(/Tasks?$/, '')),
    'prepare',
    'record',
    'decide retry',
    'decide fail',
  ];
  const verbs = verbsOf(Object.keys(TASK_COMMANDS) as (keyof typeof TASK_COMMANDS)[]);
  expect(verbs.filter((verb) => !typed.includes(verb))).toEqual([]);
  expect(verbs).toEqual([...new Set(verbs)]);
});

const network = (code: string) => Object.assign(new Error('connect'), { code });

it.each([
  ['contention', new StreamContentionError('queue-mail'), 'CONTENTION'],
  ['an unavailable event store', new EventStoreUnavailable('away'), 'STORE_UNAVAILABLE'],
  ['a refused connection', network('ECONNREFUSED'), 'STORE_UNAVAILABLE'],
  ['a refused connection by every address', new AggregateError([network('ECONNREFUSED')]), 'STORE_UNAVAILABLE'],
  ['a missing socket', Object.assign(network('ENOENT'), { syscall: 'connect' }), 'STORE_UNAVAILABLE'],
  ['a database that shuts down', network('57P01'), 'STORE_UNAVAILABLE'],
  ['too many connections', network('53300'), 'STORE_UNAVAILABLE'],
  ['a lost connection', network('08006'), 'STORE_UNAVAILABLE'],
  ['a terminated connection', new Error('Connection terminated unexpectedly'), 'STORE_UNAVAILABLE'],
  [
    'a connection that broke in use',
    new Error('Client has encountered a connection error and is not queryable'),
    'STORE_UNAVAILABLE',
  ],
  ['a transaction whose connection was lost', new QueryRunnerAlreadyReleasedError(), 'STORE_UNAVAILABLE'],
  ['a read that took longer than its time', network('57014'), 'READ_TOO_LONG'],
  ['a lock that was waited for too long', network('55P03'), 'STORE_UNAVAILABLE'],
  ['a deadlock', network('40P01'), 'STORE_UNAVAILABLE'],
  ['a transaction that could not be serialised', network('40001'), 'STORE_UNAVAILABLE'],
  ['a transaction that was idle for too long', network('25P03'), 'STORE_UNAVAILABLE'],
  ['a database that became a standby', network('25006'), 'STORE_UNAVAILABLE'],
  ['a full disk', network('53100'), 'STORE_UNAVAILABLE'],
  ['a database without memory', network('53200'), 'STORE_UNAVAILABLE'],
  ['a database at a limit of its own', network('53400'), 'STORE_UNAVAILABLE'],
])('has Retry-After for %s', async (_, error, code) => {
  const response = await answerTo(error);
  expect(response.json()).toMatchObject({ status: 503, code });
  expect(response.headers['retry-after']).toBe('1');
});

it('answers a bug with its id, logs it once, and reveals nothing else', async () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  const response = await answerTo(Object.assign(new Error('password is hunter2'), { code: '23505' }));
  expect(response.json()).toEqual({
    type: 'https://waybill.dev/problems/internal-error',
    title: 'Internal error',
    status: 500,
    detail: expect.any(String),
    instance: '/v1/queues/mail/resume',
    code: 'INTERNAL_ERROR',
    traceId: 'r-1',
  });
  expect(response.body).not.toContain('hunter2');
  expect(logged.mock.calls).toEqual([
    [expect.stringContaining('POST /v1/queues/mail/resume failed (traceId r-1): Error: password')],
  ]);
  logged.mockRestore();
});

it("answers another list's cursor with 400", async () => {
  api.queries.answer(ListTasks, () => Promise.reject(new InvalidCursor('Expected a cursor of this list, but …')));
  expect((await api.app.inject('/v1/tasks?cursor=abc')).json()).toMatchObject({
    status: 400,
    errors: [{ pointer: '#/query/cursor' }],
  });
});

describe('health', () => {
  const ready = async (lags: () => unknown) => {
    api.queries.answer(GetProjectionLag, lags);
    api.queries.answer(ListLeaders, () => [sweeper({})]);
    return api.app.inject('/healthz/ready');
  };
  const follower = (more: object) => ({
    name: 'queue-stats',
    position: '1',
    lagEvents: 0,
    lagSeconds: 0,
    status: 'running',
    ...more,
  });

  const sweeper = (more: object) => ({ role: 'sweeper', state: 'leading', workedSeconds: 1.5, ...more });
  /** As a process that started `up` seconds ago. */
  async function readyAfter(up: number, leaders: object[]) {
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now + up * 1_000);
    api.queries.answer(GetProjectionLag, () => [follower({})]);
    api.queries.answer(ListLeaders, () => leaders);
    return api.app
      .inject('/healthz/ready')
      .then((answer) => answer.json())
      .finally(() => clock.mockRestore());
  }

  it('reports how long ago any process swept', async () => {
    expect((await ready(() => [follower({})])).json().details.sweeper).toEqual({ status: 'up', lastSweepSeconds: 1.5 });
  });

  it.each([
    ['has swept for a while', [{ workedSeconds: 40.2 }], 'no process has swept for 40 s'],
    ['ever swept', [{ workedSeconds: null }], /no process has swept for (6\d|[1-9]\d\d) s/],
    ['ever led', [], /no process has swept for/],
  ])('is not ready if no process %s, and says so', async (_, leaders, reason) => {
    const { code, detail, checks } = await readyAfter(60, leaders.map(sweeper));
    expect([code, detail]).toEqual(['NOT_READY', expect.stringContaining('these checks fail: sweeper')]);
    expect(checks.projections).toMatchObject({ status: 'up' });
    expect(checks.sweeper).toMatchObject({ status: 'down', message: expect.stringMatching(reason) });
    expect(checks.sweeper.message).toContain('Start one with the role sweeper');
  });

  it.each([
    ['swept a moment ago, though its term is over', 60, [{ state: 'vacant', workedSeconds: 29 }]],
    ['swept before it started, a moment ago', 0, [{ workedSeconds: 86_400 }]],
    ['ever swept when it started, a moment ago', 0, []],
  ])('is ready if a process %s', async (_, up, leaders) => {
    expect((await readyAfter(up, leaders.map(sweeper))).details.sweeper).toMatchObject({ status: 'up' });
  });

  it('is live without contacting anything', async () => {
    expect((await api.app.inject('/healthz/live')).json()).toEqual({ status: 'ok' });
  });

  it('is ready if the database answers and the read models keep up', async () => {
    expect((await ready(() => [follower({})])).statusCode).toBe(200);
  });

  it('reports how many seconds each follower is behind, ready or degraded', async () => {
    const behind = [follower({ lagSeconds: 3.5 }), follower({ name: 'tasks', lagSeconds: 300, lagEvents: null })];
    const [whole, degraded] = [
      (await ready(() => behind)).json(),
      (
        await ready(() => [...behind, follower({ name: 'roster', lagSeconds: 1e9, lagEvents: 1e9, status: 'stopped' })])
      ).json(),
    ];
    expect(whole.details.projections).toEqual({ status: 'up', lagSeconds: { 'queue-stats': 3.5, tasks: 300 } });
    expect(degraded.details.projections).toEqual({
      status: 'degraded',
      lagSeconds: { 'queue-stats': 3.5, tasks: 300, roster: 1e9 },
      stopped: ['roster'],
    });
  });

  it('stays ready if a read model stopped at an event', async () => {
    const response = await ready(() => [follower({ status: 'stopped', lagSeconds: 1e9, lagEvents: 1e9 })]);
    expect([response.statusCode, response.json().status]).toEqual([200, 'degraded']);
  });

  it.each([100_001, null])('is not ready if a read model is far behind (%s events)', async (lagEvents) => {
    expect((await ready(() => [follower({ lagSeconds: 301, lagEvents })])).json()).toMatchObject({
      status: 503,
      code: 'NOT_READY',
      checks: {
        database: { status: 'up' },
        projections: { status: 'down', behind: [{ name: 'queue-stats', lagSeconds: 301 }] },
      },
    });
  });

  it.each([
    ['few events for a long time', { lagSeconds: 1e6, lagEvents: 100_000 }],
    ['many events for a short time', { lagSeconds: 300, lagEvents: 1e9 }],
  ])('is ready if it is behind by %s', async (_, lag) => {
    expect((await ready(() => [follower(lag)])).statusCode).toBe(200);
  });

  it('is not ready if the event store does not answer, which is not the database', async () => {
    const away = new EventStoreUnavailable('Expected EventStoreDB to serve, but it does not answer');
    const { checks, ...problem } = (await ready(() => Promise.reject(away))).json();
    expect(problem).toMatchObject({
      status: 503,
      code: 'NOT_READY',
      detail: expect.stringContaining('these checks fail: eventStore'),
    });
    expect(checks).toMatchObject({ database: { status: 'up' }, eventStore: { status: 'down' } });
  });

  it('is not ready if the database does not answer', async () => {
    const response = await ready(() => Promise.reject(network('ECONNREFUSED')));
    expect(response.json()).toMatchObject({ status: 503, code: 'NOT_READY', checks: { database: { status: 'down' } } });
    expect(response.headers['retry-after']).toBe('1');
  });
});
