import { QueryRunnerAlreadyReleasedError } from 'typeorm';
import { jest } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
import { problemOfRejection, REJECTIONS } from '../../src/api/problems/problem.js';
import { verbsOf } from '../../src/api/problems/verbs.js';
import { fakeApplication, type FakeApplication } from './fake-application.js';
import { REFUSALS } from './refusals.js';

/** `EXAMPLES=write npx jest test/api/problems` writes it, for `npm run format`. */
const EXAMPLES = join(import.meta.dirname, '../../site/problem-examples.json');

let api: FakeApplication;
beforeAll(async () => (api = await fakeApplication()));
afterAll(() => api.app.close());

async function answerTo(error: unknown) {
  api.commands.answer(OperateQueue, () => Promise.reject(error as Error));
  return api.app.inject({ method: 'POST', url: '/v1/queues/mail/resume', headers: { 'x-request-id': 'r-1' } });
}

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

/** Faults of requests that the application never sees. What Node says of JSON differs by its version. */
const FAULTS = {
  INVALID_INPUT: { method: 'POST', url: '/v1/queues/mail/tasks', payload: { priority: 'high' } },
  ROUTE_NOT_FOUND: { method: 'GET', url: '/v1/tsks' },
  METHOD_NOT_ALLOWED: { method: 'PUT', url: '/v1/tasks' },
  UNSUPPORTED_MEDIA_TYPE: {
    method: 'POST',
    url: '/v1/queues/mail/tasks',
    payload: 'a',
    headers: { 'content-type': 'text/csv' },
  },
} as const;

it('has the answers that the pages of the problems show', async () => {
  const faults = Object.values(FAULTS).map(async (fault) => {
    const { instance: _path, traceId: _trace, ...answer } = (await api.app.inject(fault)).json();
    return answer;
  });
  const answers = [
    ...(await Promise.all(faults)),
    ...Object.values(REFUSALS).map(([, one]) => problemOfRejection(one)),
  ];
  const shown = Object.fromEntries(answers.map((answer) => [answer.code, answer]));
  expect(Object.keys(shown)).toEqual([...Object.keys(FAULTS), ...Object.keys(REFUSALS)]);
  if (process.env.EXAMPLES === 'write') writeFileSync(EXAMPLES, `${JSON.stringify(shown, null, 2)}\n`);
  expect(JSON.parse(readFileSync(EXAMPLES, 'utf8'))).toEqual(JSON.parse(JSON.stringify(shown)));
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
    "Expected reference 'invoice 4711' to be free, but task '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f' has it, perhaps in the archive: " +
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
