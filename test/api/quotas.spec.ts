import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createWaybill } from '@waybill/client';
import { createHash } from 'node:crypto';
import { type ApiKey, PERMISSIONS, type Quota } from '../../src/api/access/api-keys.js';
import { EnqueueTasks } from '../../src/application/tasks/enqueue-tasks.handler.js';
import { startService } from '../support/running-service.js';
import { until } from '../support/until.js';
import { fakeApplication, type FakeApplication, receipt } from './fake-application.js';

const keyOf = (name: string, text: string, quota?: Quota): ApiKey => ({
  name,
  sha256: createHash('sha256').update(text).digest('hex'),
  may: [...PERMISSIONS],
  ...(quota && { quota }),
});

let api: FakeApplication;
afterEach(async () => {
  jest.restoreAllMocks();
  await api.app.close();
});

async function open(quota: Quota): Promise<void> {
  const apiKeys = [keyOf('shop', 'old', quota), keyOf('shop', 'new', quota), keyOf('boss', 'boss')];
  api = await fakeApplication({ apiKeys });
  api.commands.answer(EnqueueTasks, ({ items }) =>
    items.map(() => ({ kind: 'done', status: 'enqueued', receipt: receipt('t1') })),
  );
}

async function enqueue(key: string, body: object | string = { payload: 1 }, headers: object = {}) {
  const response = await api.app.inject({
    method: 'POST',
    url: '/v1/queues/mail/tasks',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.statusCode, headers: response.headers, problem: response.json() as object };
}

/** Stops the clock of quotas, in whole milliseconds, so that nothing is refilled between two requests. */
function stopClock(): { pass(ms: number): void } {
  const start = Math.ceil(performance.now());
  let passed = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => start + passed);
  return { pass: (ms) => void (passed += ms) };
}

describe('a key with a quota of requests', () => {
  it('is told what is left, and refused with the time to wait once nothing is', async () => {
    stopClock();
    await open({ requestsPerMinute: 2 });
    const [first, second, third] = [await enqueue('old'), await enqueue('old'), await enqueue('old')];
    expect([first.status, second.status, third.status]).toEqual([201, 201, 429]);
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"requests";q=2;w=60',
      ratelimit: '"requests";r=1;t=60',
    });
    expect(third.headers).toMatchObject({ ratelimit: '"requests";r=0;t=60', 'retry-after': '60' });
    expect(third.problem).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      quota: 'requests',
      limit: 2,
      detail:
        "Expected at most 2 requests a minute from the API key 'shop', but 0 are left and this request needs 1: try again in 60 s",
    });
    expect(api.commands.executed).toHaveLength(2);
  });

  it('shares it with the other keys of its name, and not with other names', async () => {
    await open({ requestsPerMinute: 1 });
    expect([(await enqueue('old')).status, (await enqueue('new')).status]).toEqual([201, 429]);
    const { status, headers } = await enqueue('boss');
    expect([status, headers.ratelimit]).toEqual([201, undefined]);
  });

  it('may go on after a minute', async () => {
    const clock = stopClock();
    await open({ requestsPerMinute: 1 });
    await enqueue('old');
    clock.pass(59_000);
    const refused = await enqueue('old');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    clock.pass(1_001);
    expect((await enqueue('old')).status).toBe(201);
  });
});

describe('a key with a quota of tasks', () => {
  const post = async (url: string, body: object) => {
    const headers = { authorization: 'Bearer old', 'content-type': 'application/json' };
    const response = await api.app.inject({ method: 'POST', url, headers, payload: JSON.stringify(body) });
    return { status: response.statusCode, headers: response.headers, problem: response.json() as object };
  };
  const ONE = { operation: 'enqueueTask', queue: 'mail', body: {} };
  const WAYS: [name: string, url: string, body: object, tasks: number][] = [
    ['an enqueue', '/v1/queues/mail/tasks', {}, 1],
    ['a batch of submissions', '/v1/tasks/batch', { tasks: [{ queue: 'mail' }, { queue: 'mail' }] }, 2],
    ['a start', '/v1/tasks/start', { queue: 'mail', worker: 'w' }, 1],
    ['the plan of a batch', '/v1/batches', { name: 'b', plan: { queue: 'mail' } }, 1],
    ['a transaction', '/v1/transactions', { commands: [ONE, ONE, { operation: 'pauseQueue', queue: 'mail' }] }, 2],
  ];

  it.each(WAYS)('counts %s', async (_, url, body, tasks) => {
    stopClock();
    await open({ tasksPerMinute: 2 });
    for (let left = tasks; left < 3; left++) await enqueue('old');
    const { status, headers, problem } = await post(url, body);
    expect([status, headers['retry-after']]).toEqual([429, '60']);
    expect(problem).toMatchObject({ code: 'QUOTA_EXCEEDED', quota: 'tasks', limit: 2 });
  });

  it('is refused whole, uses nothing then, and may go on after a minute', async () => {
    const clock = stopClock();
    await open({ tasksPerMinute: 2 });
    const three = { tasks: [{ queue: 'mail' }, { queue: 'mail' }, { queue: 'mail' }] };
    const { problem } = await post('/v1/tasks/batch', three);
    expect(problem).toMatchObject({
      detail:
        "Expected at most 2 tasks a minute from the API key 'shop', but 2 are left and this request needs 3: order less at once",
    });
    const answers = [await enqueue('old'), await enqueue('new'), await enqueue('old'), await enqueue('boss')];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 429, 201]);
    clock.pass(60_001);
    expect((await enqueue('old')).status).toBe(201);
  });
});

describe('a key with a quota of bytes', () => {
  it('is refused before the body is read, and a smaller request still passes', async () => {
    stopClock();
    await open({ bytesPerMinute: 100, requestsPerMinute: 10 });
    const large = await enqueue('old', { payload: 'x'.repeat(200) });
    expect(large.problem).toMatchObject({ code: 'QUOTA_EXCEEDED', quota: 'bytes', limit: 100 });
    expect((large.problem as { detail: string }).detail).toContain('send less at once');
    const { status, headers } = await enqueue('old', { payload: 'x'.repeat(50) });
    expect([status, headers.ratelimit]).toEqual([201, '"requests";r=9;t=60, "bytes";r=36;t=60']);
    expect((await enqueue('old', { payload: 'x'.repeat(50) })).status).toBe(429);
  });

  it('must say the length of a body', async () => {
    await open({ bytesPerMinute: 100 });
    const refused = await enqueue('old', '{}', { 'transfer-encoding': 'chunked' });
    expect([refused.status, refused.problem]).toMatchObject([411, { code: 'LENGTH_REQUIRED' }]);
  });
});

it("shows each key's last use, and those that were never used", async () => {
  await open({});
  const service = await startService({
    apiKeys: [keyOf('shop', 'old', { requestsPerMinute: 60_000 }), keyOf('shop', 'new')],
  });
  try {
    const waybill = createWaybill({ url: service.url, apiKey: 'old' });
    const [used, unused] = await until('the use to be written', async () => {
      const keys = await waybill.apiKeys();
      return keys[0]!.lastUsedAt === null ? null : keys;
    });
    expect(used).toMatchObject({
      name: 'shop',
      may: [...PERMISSIONS],
      quota: { requestsPerMinute: 60_000 },
      expiresAt: null,
    });
    expect(Date.now() - Date.parse(used!.lastUsedAt!)).toBeLessThan(60_000);
    expect(unused).toMatchObject({ name: 'shop', quota: null, lastUsedAt: null });
    expect(used!.id).not.toBe(unused!.id);
  } finally {
    await service.stop();
  }
});
