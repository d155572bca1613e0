import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { inTime } from '../support/in-time.js';
import { fakeApplication, type FakeApplication } from './fake-application.js';

const ID = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';

let api: FakeApplication;
beforeAll(async () => (api = await fakeApplication()));
afterAll(() => api.app.close());
afterEach(() => {
  api.commands.forget();
  api.queries.forget();
});

async function refusal(request: InjectOptions) {
  const response = await api.app.inject(request);
  expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  // Invalid input must not reach the application, where it would leave an event.
  expect(api.commands.executed).toEqual([]);
  expect(api.queries.executed).toEqual([]);
  return response.json();
}

const post = (url: string, body: string | Buffer, type = 'application/json') =>
  refusal({ method: 'POST', url, payload: body, headers: { 'content-type': type } });

const enqueue = (body: string | Buffer) => post('/v1/queues/mail/tasks', body);

describe('a body', () => {
  it.each([
    ['an unknown field', '{"payload":1,"proirity":3}', '/proirity'],
    ['a wrong type', '{"priority":"3"}', '/priority'],
    ['null where a value may be absent', '{"key":null}', '/key'],
    ['an id that is no UUID', '{"id":"42"}', '/id'],
    ['an id in upper case', `{"id":"${ID.toUpperCase()}"}`, '/id'],
    ['a key of more than 512 characters', `{"key":"${'k'.repeat(513)}"}`, '/key'],
    ['a reference of more than 512 characters', `{"reference":"${'k'.repeat(513)}"}`, '/reference'],
    ['a description of more than 4096 characters', `{"description":"${'k'.repeat(4097)}"}`, '/description'],
    ['a reason of more than 1024 characters', `{"hold":{"reason":"${'k'.repeat(1025)}"}}`, '/hold/reason'],
    [
      'more than 32 labels',
      JSON.stringify({ labels: Object.fromEntries(Array.from({ length: 33 }, (_, n) => [n, ''])) }),
      '/labels',
    ],
    ['a label that is not text', '{"labels":{"a":1}}', '/labels'],
    ['an impossible date', '{"dueAt":"2026-02-30T00:00:00Z"}', '/dueAt'],
    ['a priority past 32 bits', '{"priority":2147483648}', '/priority'],
    ['an integer past 2^53', '{"payload":{"id":9007199254740993}}', '/payload/id'],
    ['a number that overflows', '{"payload":[1e999]}', '/payload/0'],
    ['NUL in a key', '{"key":"a\\u0000b"}', '/key'],
    ['NUL in the payload', '{"payload":{"deep":["\\u0000"]}}', '/payload/deep/0'],
    ['half of a surrogate pair', '{"reference":"\\ud83d"}', '/reference'],
    ['__proto__', '{"payload":{"__proto__":{"admin":true}}}', '/payload/__proto__'],
    ['constructor', '{"payload":{"constructor":{"prototype":{"a":1}}}}', '/payload/constructor'],
    ['prototype', '{"payload":{"prototype":1}}', '/payload/prototype'],
    ['65 levels', `{"payload":${'['.repeat(64)}${']'.repeat(64)}}`, `/payload${'/0'.repeat(63)}`],
    ['a list', '[]', ''],
    ['text', '"payload"', ''],
    ['a number', '7', ''],
  ])('is refused for %s, with a pointer to it', async (_, body, pointer) => {
    expect(await enqueue(body)).toMatchObject({
      type: 'https://waybill.dev/problems/invalid-input',
      status: 400,
      code: 'INVALID_INPUT',
      errors: [{ pointer, detail: expect.stringMatching(/^Expected .+/) }],
    });
  });

  it('is refused with a pointer into the batch', async () => {
    const tasks = Array.from({ length: 5 }, (_, n) => ({ queue: 'mail', ...(n === 3 && { priority: 'high' }) }));
    const { errors } = await post('/v1/tasks/batch', JSON.stringify({ tasks }));
    expect(errors).toEqual([
      {
        pointer: '/tasks/3/priority',
        detail: 'Expected an integer from -2147483648 to 2147483647, but got text of 4 characters',
      },
    ]);
  });

  const twoEnds = { queue: 'mail', expiresAt: '2999-01-01T00:00:00Z', ttlMs: 1 };
  it.each<[string, object, string]>([
    ['/v1/queues/mail/tasks', { ...twoEnds, queue: undefined }, '/ttlMs'],
    ['/v1/queues/mail/tasks', { after: [{}] }, '/after/0'],
    ['/v1/tasks/batch', { tasks: [{ queue: 'mail' }, twoEnds] }, '/tasks/1/ttlMs'],
    ['/v1/tasks/batch', { tasks: [{ queue: 'mail', after: [{}] }] }, '/tasks/0/after/0'],
    [`/v1/tasks/${ID}/prerequisites`, { add: [{}] }, '/add/0'],
    ['/v1/batches', { name: 'b', plan: twoEnds }, '/plan/ttlMs'],
    ['/v1/batches', { name: 'b', reportTo: {} }, '/reportTo'],
    ['/v1/operations', { command: 'retry' }, '/filter'],
    ['/v1/deliveries', {}, '/mail'],
  ])('is refused with the same kind of pointer if fields do not fit together: %s %j', async (path, body, pointer) => {
    expect(await post(path, JSON.stringify(body))).toMatchObject({ status: 400, errors: [{ pointer }] });
  });

  it.each([
    ['/v1/tasks/batch', 'tasks', { queue: 'mail' }],
    ['/v1/settlements', 'items', { taskId: ID, token: '1.a', verdict: { type: 'succeed' } }],
    ['/v1/leases/extend', 'items', { taskId: ID, token: '1.a' }],
  ])('may have 1000 items, not 1001: %s', async (path, list, item) => {
    const body = { [list]: Array.from({ length: 1_001 }, () => item) };
    expect((await post(path, JSON.stringify(body))).errors[0]).toEqual({
      pointer: `/${list}`,
      detail: 'Expected a list of 1 to 1000 objects, but got a list of 1001',
    });
  });

  it('is refused with the first wrong element of a list', async () => {
    const { errors } = await enqueue(JSON.stringify({ after: [{ task: ID }, ID] }));
    expect(errors).toEqual([
      {
        pointer: '/after',
        detail: 'Expected a list of 0 to 10000 objects, but got one whose element 1 is text of 36 characters',
      },
    ]);
  });

  it('may have 4 MiB, and no more', async () => {
    expect(await enqueue(`{"payload":"${'x'.repeat(4 * 1024 * 1024)}"}`)).toMatchObject({
      status: 413,
      code: 'BODY_TOO_LARGE',
    });
  });

  it('may not be nested 200,000 levels deep', async () => {
    expect(await enqueue('['.repeat(2e5) + ']'.repeat(2e5))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });

  it.each([
    ['lists', '[]'],
    ['objects', '{}'],
    ['numbers', '1'],
    ['objects with a member', '{"a":{}}'],
  ])('may have 250,000 values, and no more: %s', async (_, value) => {
    const body = `{"payload":[${Array.from({ length: 250_001 }, () => value).join()}]}`;
    expect(await enqueue(body)).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' });
  });

  it('may have any number of commas and brackets in its texts', async () => {
    const text = JSON.stringify({ payload: '[{,"\\'.repeat(100_000), proirity: 1 });
    expect(await enqueue(text)).toMatchObject({ status: 400, errors: [{ pointer: '/proirity' }] });
  });

  it.each([
    ['POST', '/v1/tasks/batch', 'tasks'],
    ['POST', '/v1/settlements', 'items'],
    ['POST', '/v1/transactions', 'commands'],
    ['PUT', '/v1/queues/mail', 'steps'],
  ] as const)('with as many faults as it can have is refused without a copy: %s %s', async (method, url, list) => {
    const payload = JSON.stringify({ [list]: Array.from({ length: 120_000 }, () => ({})) });
    const headers = { 'content-type': 'application/json' };
    await refusal({ method, url, payload: '{"unknown":1}', headers });
    // A copy took seconds of the processor each time, however busy that was with other things.
    await inTime('the refusal, of the processor,', 1_000, async () => {
      const before = process.cpuUsage();
      expect(await refusal({ method, url, payload, headers })).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    });
  });

  it.each([
    ['cut short', '{"payload":'],
    ['not JSON', 'payload=1'],
    ['JSON of another dialect', "{payload:'x'}"],
    ['JSON twice', '{}{}'],
    ['JSON after a byte order mark', '\ufeff{}'],
    ['text with a raw control character', '{"key":"a\u0001"}'],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0x6b, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['UTF-8 with an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
  ])('is malformed when it is %s', async (_, body) => {
    expect(await enqueue(body)).toMatchObject({ status: 400, code: 'MALFORMED_JSON' });
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json5',
  ])('is refused as %s', async (type) =>
    expect(await post('/v1/queues/mail/tasks', '{}', type)).toMatchObject({
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
      detail: expect.stringContaining("send 'Content-Type: application/json'"),
    }),
  );

  it.each([
    ['POST', '/v1/queues/mail/pause', { reason: '' }, '/reason'],
    ['POST', '/v1/queues/mail/pause', { until: 'tomorrow' }, '/until'],
    ['POST', '/v1/queues/mail/resume', { now: true }, '/now'],
    ['PUT', '/v1/queues/mail', { policy: { retry: { backoff: { factor: 0.5 } } } }, '/policy/retry/backoff/factor'],
    ['PUT', '/v1/queues/mail', { policy: { leaseMs: 10 } }, '/policy/leaseMs'],
    ['PUT', '/v1/queues/mail', { policy: { steps: ['a', 'a'] } }, '/policy/steps'],
    ['PUT', '/v1/queues/mail', { policy: { steps: [''] } }, '/policy/steps'],
    ['PUT', '/v1/queues/mail', { policy: { steps: ['a', null] } }, '/policy/steps'],
    ['PUT', '/v1/queues/mail', { policy: { steps: [{ onFailure: 'fail' }] } }, '/policy/steps/0/name'],
    ['PUT', '/v1/queues/mail', { policy: { steps: ['a', { name: 'b', leaseMs: 1_000 }] } }, '/policy/steps/1/leaseMs'],
    [
      'PUT',
      '/v1/queues/mail',
      { policy: { steps: [{ name: 'b', retry: { maxAttempts: 0 } }] } },
      '/policy/steps/0/retry/maxAttempts',
    ],
    ['PUT', '/v1/queues/mail', { policy: { commands: 'RetryTask' } }, '/policy/commands'],
    ['PUT', '/v1/queues/mail', { policy: { commands: ['SucceedTask'] } }, '/policy/commands'],
    ['PUT', '/v1/queues/mail', { policy: { commands: [{ command: 'RetryTask' }] } }, '/policy/commands/0/in'],
    ['PUT', '/v1/queues/mail', { policy: { retry: { classes: ['any'] } } }, '/policy/retry/classes'],
    ['PUT', '/v1/queues/mail/policy', { keyRequired: 'yes' }, '/keyRequired'],
    ['POST', `/v1/tasks/${ID}/overrule`, { verdict: 'succeed' }, '/reason'],
    ['POST', `/v1/tasks/${ID}/decide`, { decision: 'wait' }, '/decision'],
    ['POST', `/v1/tasks/${ID}/reschedule`, {}, '/dueAt'],
    ['POST', `/v1/tasks/${ID}/amend`, {}, '/payload'],
    ['POST', `/v1/tasks/${ID}/succeed`, {}, '/token'],
    ['POST', `/v1/tasks/${ID}/fail`, { token: '1.a' }, '/error'],
    ['POST', `/v1/tasks/${ID}/fail`, { token: '1.a', error: { message: 'x'.repeat(32_769) } }, '/error/message'],
    ['POST', `/v1/tasks/${ID}/complete-step`, { token: '1.a', step: 'x', then: 'stop' }, '/then'],
    ['POST', '/v1/settlements', { items: [{ taskId: ID, token: '1.a', verdict: null }] }, '/items/0/verdict'],
    [
      'POST',
      '/v1/settlements',
      { items: [{ taskId: ID, token: '1.a', verdict: { type: 'toString' } }] },
      '/items/0/verdict/type',
    ],
    ['POST', '/v1/queues/mail/claims', { worker: 'x'.repeat(201) }, '/worker'],
    ['POST', '/v1/queues/mail/claims', { worker: 'w', max: 1_001 }, '/max'],
    ['POST', '/v1/queues/mail/claims', { worker: 'w', waitMs: 60_001 }, '/waitMs'],
    ['POST', '/v1/leases/extend', { items: [] }, '/items'],
  ] as const)('%s %s refuses %j', async (method, url, body, pointer) => {
    expect((await refusal({ method, url, payload: body })).errors[0].pointer).toBe(pointer);
  });
});

describe('a policy', () => {
  const detailOf = async (policy: object): Promise<string> => {
    const { errors } = await refusal({ method: 'PUT', url: '/v1/queues/mail', payload: { policy } });
    expect(errors).toHaveLength(1);
    return `${errors[0].pointer}: ${errors[0].detail}`;
  };

  it('has each step only once', async () => {
    const expected =
      "/policy/steps: Expected a list of up to 100 different names, each text of 1 to 100 characters, or an object that has the name as 'name', but got a list of 2";
    for (const steps of [
      ['a', 'a'],
      ['a', { name: 'a' }],
      [{ name: 'a' }, { name: 'a', onFailure: 'retry' }],
    ])
      expect(await detailOf({ steps })).toBe(expected);
  });

  it('offers each command only once, and only commands of people', async () => {
    const everywhere = await detailOf({ commands: ['retry'] });
    expect(everywhere).toMatch(
      /^\/policy\/commands: Expected a list of up to \d+ different names, each one of 'PrepareTask', 'EnqueueTask', .*, or an object that has the name as 'command', or null, but got a list of 1$/,
    );
    const twice = { commands: ['RetryTask', { command: 'RetryTask', in: ['failed'] }] };
    expect(await detailOf(twice)).toBe(everywhere.replace(/1$/, '2'));
    expect(await detailOf({ commands: [{ command: 'EnqueueTask', in: ['failed'] }] })).toMatch(
      /^\/policy\/commands\/0\/command: Expected one of 'SubmitTask', .*, but got text of 11 characters$/,
    );
  });

  it('offers a command in existing states only, and in one at least', async () => {
    for (const states of [[], ['lost']])
      expect(await detailOf({ commands: ['EnqueueTask', { command: 'RetryTask', in: states }] })).toMatch(
        /^\/policy\/commands\/1\/in: Expected a list of 1 or more different values of 'prepared', .*'deleted', but got a list of \d$/,
      );
  });
});

describe('a URL', () => {
  it.each([
    ['GET', '/v1/tasks/42', '#/path/id'],
    ['POST', '/v1/tasks/42/cancel', '#/path/id'],
    ['DELETE', `/v1/tasks/${ID}?force=yes`, '#/query/force'],
    ['GET', '/v1/queues/-mail', '#/path/queue'],
    ['GET', '/v1/queues/%00', '#/path/queue'],
    ['GET', '/v1/queues/a%2Fb', '#/path/queue'],
    ['POST', '/v1/queues/__proto__/resume', '#/path/queue'],
    ['GET', '/v1/tasks?limit=501', '#/query/limit'],
    ['GET', '/v1/tasks?limit=0', '#/query/limit'],
    ['GET', '/v1/tasks?limit=1e2', '#/query/limit'],
    ['GET', '/v1/tasks?state=lost', '#/query/state'],
    ['GET', '/v1/tasks?state=failed&state=failed', '#/query/state'],
    ['GET', '/v1/tasks?key=a%00', '#/query/key'],
    ['GET', '/v1/tasks?sort=key', '#/query/sort'],
    ['GET', '/v1/tasks?label=acme', '#/query/label'],
    ['GET', '/v1/tasks?__proto__=1', '#/query/__proto__'],
    ['GET', `/v1/tasks/${ID}?minPosition=-1`, '#/query/minPosition'],
    ['GET', `/v1/tasks/${ID}?minPosition=99999999999999999999`, '#/query/minPosition'],
    ['GET', '/v1/events?after=x', '#/query/after'],
    ['GET', '/v1/events?actr=ann', '#/query/actr'],
    ['GET', '/v1/events?since=yesterday', '#/query/since'],
    ['GET', '/v1/events?since=10', '#/query/since'],
    ['GET', '/v1/events/stream?since=2026-02-30T00:00:00Z', '#/query/since'],
    ['GET', '/v1/events/stream?since=now&after=4', '#/query/since'],
    ['GET', '/v1/events?task=42', '#/query/task'],
    ['GET', '/v1/events?type=TaskFialed', '#/query/type'],
    ['GET', '/v1/events/stream?type=taskfailed', '#/query/type'],
    ['GET', '/v1/projections?limit=3', '#/query/limit'],
    ['POST', '/v1/queues/mail/pause?reason=lunch', '#/query/reason'],
    ['POST', `/v1/tasks/${ID}/cancel?reason=lunch`, '#/query/reason'],
    ['GET', '/metrics?format=json', '#/query/format'],
    ['GET', '/v1/events/stream?category=other', '#/query/category'],
  ] as const)('%s %s is refused', async (method, url, pointer) => {
    expect(await refusal({ method, url })).toMatchObject({ code: 'INVALID_INPUT', errors: [{ pointer }] });
  });

  it('is refused with the known parameters and values', async () => {
    const detailOf = async (url: string): Promise<string> => (await refusal({ method: 'GET', url })).errors[0].detail;
    expect(await detailOf('/v1/events?actr=ann')).toMatch(
      /^Expected one of .*'limit', .*'actor', .*but it is none of them$/,
    );
    expect(await detailOf('/v1/events?type=x')).toMatch(
      /^Expected one of 'TaskPrepared', .*'QueueDeleted', .*, but got /,
    );
    expect(await detailOf('/v1/tasks?state=lost')).toMatch(/^Expected one of 'prepared', .*'deleted', but got /);
  });

  it.each(['/v1/queues/%', '/v1/queues/%ff', '/v1/queues/%E0%A4%A'])('%s is malformed', async (url) => {
    expect((await refusal({ method: 'GET', url })).status).toBe(400);
  });

  it('may not be of any length', async () => {
    expect(await refusal({ method: 'GET', url: `/v1/queues/${'a'.repeat(201)}` })).toMatchObject({ status: 414 });
  });

  it('with an unknown path is not found', async () => {
    expect(await refusal({ method: 'GET', url: '/v2/queues?a=b' })).toMatchObject({
      status: 404,
      code: 'ROUTE_NOT_FOUND',
      instance: '/v2/queues',
    });
  });

  it('with another method than its path accepts names those', async () => {
    const response = await api.app.inject({ method: 'DELETE', url: '/v1/queues/mail/policy' });
    expect(response.json()).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' });
    expect(response.headers.allow).toBe('GET, HEAD, PUT');
  });
});

describe('a header', () => {
  it.each([
    ['waybill-actor', 'long', 'x'.repeat(201)],
    ['waybill-actor', 'unprintable', 'a\tb'],
    ['idempotency-key', 'long', 'x'.repeat(201)],
  ])('%s may not be %s', async (name, _, value) => {
    const request = { method: 'POST', url: '/v1/queues/mail/resume', headers: { [name]: value } } as const;
    expect((await refusal(request)).errors[0].pointer).toBe(`#/headers/${name}`);
  });

  it('If-Match is required for a change of policy, as one strong tag', async () => {
    const change = (headers: object) =>
      refusal({ method: 'PUT', url: '/v1/queues/mail/policy', payload: {}, headers: { ...headers } });
    expect(await change({})).toMatchObject({ status: 428, code: 'PRECONDITION_REQUIRED' });
    for (const tag of ['3', '*', 'W/"3"', '"3", "4"', '"x"']) {
      expect((await change({ 'if-match': tag })).errors[0].pointer).toBe('#/headers/if-match');
    }
  });

  it('If-Match is refused for a definition, which would replace a newer policy', async () => {
    const payload = { replace: true };
    const request = { method: 'PUT', url: '/v1/queues/mail', payload, headers: { 'if-match': '"3"' } } as const;
    expect((await refusal(request)).errors[0].pointer).toBe('#/headers/if-match');
  });

  it('Last-Event-ID must be a position', async () => {
    const request = { method: 'GET', url: '/v1/events/stream', headers: { 'last-event-id': 'x' } } as const;
    expect((await refusal(request)).errors[0].pointer).toBe('#/headers/last-event-id');
  });
});

const BODIES = [
  '/v1/tasks/batch',
  '/v1/settlements',
  '/v1/leases/extend',
  '/v1/queues/mail/claims',
  '/v1/queues/mail/pause',
  `/v1/tasks/${ID}/fail`,
  `/v1/tasks/${ID}/retry`,
];

it('answers any bytes with a problem, and never with a 500', async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
    fc.json({ noUnicodeString: false }).map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(`{"unheardOf":${text}}`)),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...BODIES), bytes, async (url, payload) => {
      const { statusCode } = await api.app.inject({
        method: 'POST',
        url,
        payload,
        headers: { 'content-type': 'application/json' },
      });
      // An empty body counts as an empty object, which some commands accept. The recording application then answers
      // 500.
      expect(api.commands.executed.length > 0 ? 400 : statusCode).toBe(400);
      api.commands.forget();
    }),
    { numRuns: 300 },
  );
});
