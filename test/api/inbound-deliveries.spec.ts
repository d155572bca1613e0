import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { TriggerDefinition } from '@waybill/client';
import { Hmac } from 'node:crypto';
import { request as send } from 'node:http';
import { json } from 'node:stream/consumers';
import { MountedPerson } from '../../src/api/access/mounted-person.js';
import { MOST_REFUSED } from '../../src/api/access/refused-keys.js';
import { derivedId } from '../../src/application/kernel/derived-id.js';
import { MOST_AT_ONCE } from '../../src/application/kernel/named-secrets.js';
import type { SignatureScheme } from '../../src/domain/trigger/trigger.events.js';
import { fakeApplication } from './fake-application.js';
import { type RunningService, startService } from '../support/running-service.js';
import { SECRETS, signed, type Signing } from '../support/signed-delivery.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService({
    trustedProxies: ['127.0.0.1'],
    inboundSecrets: SECRETS,
    webhookSecrets: { loop: SECRETS.standard },
    webhookHttp: true,
    webhookNetworks: ['127.0.0.1'],
  });
});
afterAll(() => service.stop());

let number = 0;

/** A trigger of its own with a queue of its own. */
async function newTrigger(delivery: Partial<TriggerDefinition['delivery']> = {}, task: object = {}) {
  const name = `inbound-${++number}`;
  const queue = `of-${name}`;
  await service.waybill.queue(queue).define();
  const definition: TriggerDefinition = {
    delivery: { scheme: 'standard', secret: 'standard', ...delivery },
    task: { queue, kind: 'delivered', ...task },
  };
  await service.waybill.trigger(name).define(definition);
  return { name, queue, definition, handle: service.waybill.trigger(name) };
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

/** Each comes from an address of its own unless it says which one. */
async function deliver(
  trigger: string,
  signing: Partial<Signing> = {},
  more: { readonly headers?: Record<string, string>; readonly from?: string; readonly url?: string } = {},
): Promise<Answer> {
  const { body, headers } = signed(signing);
  const { url = service.url, from = `192.0.2.${++number % 250}` } = more;
  const answer = await fetch(`${url}/v1/triggers/${trigger}/deliveries`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers, ...more.headers },
    body,
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

const actorsOf = async (task: string) =>
  (await service.waybill.task(task).history()).map(({ envelope }) => envelope.actor);
const tasksOf = async (queue: string) => (await service.waybill.tasks.page({ queue })).items;

describe('a signed delivery', () => {
  it.each<SignatureScheme>(['standard', 'github', 'stripe'])(
    'makes one task of its trigger, however often it comes: %s',
    async (scheme) => {
      const { name, queue } = await newTrigger({ scheme, secret: scheme, headers: ['x-kind'] }, { payload: { a: 1 } });
      const id = `evt-${scheme}`;
      const first = await deliver(name, { scheme, id }, { headers: { 'x-kind': 'grün' } });
      expect([first.status, first.body.isNew]).toEqual([200, true]);
      const again = await deliver(
        name,
        { scheme, id, seconds: Date.now() / 1_000 + 7 },
        { headers: { 'x-kind': 'red' } },
      );
      expect([again.status, again.body]).toEqual([200, { task: first.body.task, isNew: false }]);
      const other = await deliver(name, { scheme, id: `${id}-2` });
      expect(other.body.isNew).toBe(true);
      expect(await tasksOf(queue)).toHaveLength(2);
      const task = await service.waybill.task(first.body.task).get();
      expect(task).toMatchObject({ kind: 'delivered', labels: { trigger: name } });
      const { body } = signed({ scheme, id });
      expect(task.payload).toEqual({ a: 1, delivery: { id, headers: { 'x-kind': 'grün' }, body: JSON.parse(body) } });
      expect(await actorsOf(first.body.task)).toEqual([`trigger:${name}`]);
      const { position } = await service.waybill.queue(queue).pause({ reason: 'no hands' });
      for (const waybill of [service.waybill, service.waybill.asOf(position)])
        expect((await waybill.task(first.body.task).why()).reasons).toMatchObject([
          { because: 'queue-paused', reason: 'no hands' },
        ]);
    },
  );

  it('is taken under the old secret and under the new one while it is replaced', async () => {
    const { name } = await newTrigger({ scheme: 'github', secret: 'two' });
    for (const secret of SECRETS.two)
      expect((await deliver(name, { scheme: 'github', id: secret.slice(4, 7), secret })).status).toBe(200);
    expect((await deliver(name, { scheme: 'github', id: 'x', secret: 'another secret text' })).status).toBe(401);
  });

  it('makes one task if two processes get it at the same moment', async () => {
    const { name, queue } = await newTrigger();
    const urls = [service.url, await service.addUrl()];
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => deliver(name, { id: 'same' }, { url: urls[at % 2]! })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers.filter(({ body }) => body.isNew)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.task)).size).toBe(1);
    expect(await tasksOf(queue)).toHaveLength(1);
  });

  it('finds its task after the definition has changed, also if that would make none', async () => {
    const { name, definition, handle } = await newTrigger();
    const first = await deliver(name, { id: 'once' });
    const other = await newTrigger();
    await handle.define({ ...definition, task: { queue: other.queue, payload: { b: 2 } } });
    expect((await deliver(name, { id: 'once' })).body).toEqual({ task: first.body.task, isNew: false });
    expect(await tasksOf(other.queue)).toEqual([]);
    await service.waybill.queue(other.queue).delete();
    expect((await deliver(name, { id: 'once' })).body).toEqual({ task: first.body.task, isNew: false });
    expect(await deliver(name, { id: 'twice' })).toMatchObject({ status: 404, body: { code: 'QUEUE_NOT_FOUND' } });
  });

  it('is not answered with a task that somebody else has submitted under its id', async () => {
    const { name, queue } = await newTrigger();
    const id = derivedId(`delivery to trigger ${name}`, 'taken');
    await service.waybill.queue(queue).enqueue({}, { id });
    expect(await deliver(name, { id: 'taken' })).toMatchObject({ status: 409, body: { code: 'TASK_EXISTS' } });
  });

  it('gives its task no header that the definition does not name, and no label', async () => {
    const { name } = await newTrigger({ headers: ['x-kind'] }, { labels: { team: 'a' } });
    const headers = { authorization: 'Bearer x', 'x-label': 'team=b', 'waybill-actor': 'eve', 'x-kind': 'a\tb' };
    const { body } = await deliver(name, {}, { headers });
    const task = await service.waybill.task(body.task).get();
    expect(task.labels).toEqual({ team: 'a', trigger: name });
    expect((task.payload as any).delivery.headers).toEqual({ 'x-kind': 'a\tb' });
    expect(await actorsOf(body.task)).toEqual([`trigger:${name}`]);
  });
});

describe('what is not signed as the definition says', () => {
  it('gets one and the same answer, whatever is wrong and whether or not there is such a trigger', async () => {
    const [known, disabled, github, two] = [
      await newTrigger(),
      await newTrigger(),
      await newTrigger({ scheme: 'github', secret: 'github' }),
      await newTrigger({ scheme: 'github', secret: 'two' }),
    ];
    await disabled.handle.disable();
    const timed = await newTrigger();
    await timed.handle.define({ cron: '0 0 1 1 *', timeZone: 'UTC', task: { queue: timed.queue } });
    const deleted = await newTrigger();
    await deleted.handle.delete();
    const now = Date.now() / 1_000;
    const tries = [
      () => deliver('nobody'),
      () => deliver('no%00body%20at%20all'),
      () => deliver(disabled.name),
      () => deliver(timed.name),
      () => deliver(deleted.name),
      () => deliver(known.name, { secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}` }),
      () => deliver(known.name, { scheme: 'github' }),
      () => deliver(github.name, { scheme: 'standard' }),
      () => deliver(two.name, { scheme: 'github' }),
      () => deliver(known.name, {}, { headers: { 'webhook-id': 'another' } }),
      () => deliver(known.name, { seconds: now - 310 }),
      () => deliver(known.name, { seconds: now + 310 }),
      () => deliver(known.name, {}, { headers: { 'webhook-signature': '' } }),
    ];
    const hmacs = jest.spyOn(Hmac.prototype, 'digest');
    const answers: Answer[] = [];
    const works: number[] = [];
    for (const one of tries) {
      hmacs.mockClear();
      answers.push(await one());
      works.push(hmacs.mock.calls.length);
    }
    // One is that of the sender. More or fewer would tell by the time whether there is such a trigger, and how many secrets it has.
    expect(works).toEqual(tries.map(() => 1 + MOST_AT_ONCE));
    const shown = answers.map(({ status, headers, body }) => ({
      status,
      body: { ...body, instance: '', traceId: '' },
      auth: headers.get('www-authenticate'),
      names: [...headers.keys()].filter((name) => name !== 'content-length'),
    }));
    expect(shown[0]).toMatchObject({ status: 401, body: { code: 'SIGNATURE_REFUSED' }, auth: 'Signature' });
    for (const one of shown) expect(one).toEqual(shown[0]);
    for (const { queue } of [known, disabled, timed, github]) expect(await tasksOf(queue)).toEqual([]);
  });

  it('is told to wait after many from one address, from which signed ones are still taken', async () => {
    const { name } = await newTrigger();
    const from = '198.51.100.7';
    for (let i = 0; i < MOST_REFUSED; i++) expect((await deliver('nobody', {}, { from })).status).toBe(401);
    const refused = await deliver('nobody', {}, { from });
    expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_REFUSED_KEYS']);
    expect((await deliver(name, {}, { from })).status).toBe(200);
  });

  it('needs each header once', async () => {
    const { name } = await newTrigger();
    const { body, headers } = signed({});
    const twice = Object.entries({ ...headers, 'content-type': 'application/json' }).flatMap(([key, value]) =>
      key === 'webhook-id' ? [key, value, key, value] : [key, value],
    );
    expect(await post(`/v1/triggers/${name}/deliveries`, twice, body)).toEqual([401, 'SIGNATURE_REFUSED']);
  });
});

it.each([
  [
    'needs no API key',
    { apiKeys: [{ name: 'ann', sha256: 'a'.repeat(64), may: ['read'] }] } as const,
    {},
    'SIGNATURE_REFUSED',
  ],
  ['needs nobody that an application has signed in', { persons: new MountedPerson() }, {}, 'SIGNATURE_REFUSED'],
  ['may name the host as it likes', {}, { host: 'hooks.example.com' }, 'SIGNATURE_REFUSED'],
  ['is not a foreign page', {}, { origin: 'https://evil.example.com' }, 'FORBIDDEN'],
])('whoever delivers %s', async (_, access, headers, code) => {
  const { app } = await fakeApplication(access);
  const sent = { 'content-type': 'application/json', ...headers };
  const answer = await app.inject({ method: 'POST', url: '/v1/triggers/x/deliveries', headers: sent, payload: '{}' });
  expect(answer.json().code).toBe(code);
  await app.close();
});

/** As no `fetch` sends it: `pairs` of headers in their order, in chunks unless they have a length. Resolves with the status, and the code of a refusal. */
function post(path: string, pairs: readonly string[], body: string): Promise<readonly [number, string?]> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    const headers = ['host', hostname, 'x-forwarded-for', '192.0.2.9', ...pairs];
    const request = send({ hostname, port, path, method: 'POST', headers: headers as never });
    request.on('response', (response) => {
      const status = response.statusCode!;
      const codeOf = (body: unknown) => (body as { readonly code?: string }).code;
      json(response).then((body) => resolve(codeOf(body) === undefined ? [status] : [status, codeOf(body)]), reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

describe('a body', () => {
  const TOO_LARGE = [413, 'BODY_TOO_LARGE'];
  const large = JSON.stringify({ id: 'large', text: 'x'.repeat(300 * 1024) });
  const pairsOf = (headers: Record<string, string>) =>
    Object.entries({ 'content-type': 'application/json', ...headers }).flat();

  it('has at most 256 KiB, with and without a length', async () => {
    const { name, queue } = await newTrigger();
    const path = `/v1/triggers/${name}/deliveries`;
    const { headers } = signed({ body: large });
    expect(await post(path, [...pairsOf(headers), 'content-length', String(large.length)], large)).toEqual(TOO_LARGE);
    expect(await post(path, [...pairsOf(headers), 'transfer-encoding', 'chunked'], large)).toEqual(TOO_LARGE);
    // Whoever has no secret cannot have more than that read either.
    expect(await post(path, [...pairsOf({}), 'transfer-encoding', 'chunked'], large)).toEqual(TOO_LARGE);
    expect(await tasksOf(queue)).toEqual([]);
    const small = signed({});
    expect(await post(path, [...pairsOf(small.headers), 'transfer-encoding', 'chunked'], small.body)).toEqual([200]);
  });

  it('is JSON under any of its names, and only here', async () => {
    const { name, queue } = await newTrigger();
    const type = (text: string) => ({ headers: { 'content-type': text } });
    expect((await deliver(name, { id: 'a' }, type('application/cloudevents+json; charset=utf-8'))).status).toBe(200);
    for (const other of ['text/plain', 'application/x-www-form-urlencoded', 'text/html+json', 'application/json5'])
      expect([other, (await deliver(name, { id: 'b' }, type(other))).status]).toEqual([other, 415]);
    const elsewhere = { method: 'POST', headers: { 'content-type': 'application/cloudevents+json' }, body: '{}' };
    expect((await fetch(`${service.url}/v1/queues/${queue}/tasks`, elsewhere)).status).toBe(415);
    expect(await tasksOf(queue)).toHaveLength(1);
  });

  it.each<[string, string, SignatureScheme, string]>([
    ['no JSON', '{"a":', 'standard', 'MALFORMED_JSON'],
    ['empty', '', 'github', 'MALFORMED_JSON'],
    ['not storable', '{"a":"\\u0000"}', 'standard', 'INVALID_INPUT'],
    ['without an id where the sender puts it', '{"a":1}', 'stripe', 'INVALID_INPUT'],
  ])('is refused only to who has signed it if it is %s', async (_, body, scheme, code) => {
    const { name } = await newTrigger({ scheme, secret: scheme });
    expect(await deliver(name, { scheme, body })).toMatchObject({ status: 400, body: { code } });
    const unsigned = { ...signed({ scheme, body: `${body} ` }).headers };
    expect((await deliver(name, { scheme, body }, { headers: unsigned })).body.code).toBe('SIGNATURE_REFUSED');
  });

  it('takes no query, which nothing signs', async () => {
    const { name } = await newTrigger();
    const { body, headers } = signed({});
    const url = `${service.url}/v1/triggers/${name}/deliveries?queue=other`;
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    expect(answer.status).toBe(400);
  });
});

describe('while no new tasks are taken', () => {
  it('a delivery is to be repeated later, and learns neither who says so nor why', async () => {
    const { name } = await newTrigger();
    const before = await deliver(name, { id: 'before' });
    await service.as('ann').system.drain({ reason: 'a secret deployment' });
    try {
      const answer = await deliver(name, { id: 'meanwhile' });
      expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
        503,
        'DELIVERY_DEFERRED',
        '30',
      ]);
      expect(JSON.stringify(answer.body)).not.toMatch(/ann|deployment/);
      expect((await deliver(name, { id: 'before' })).body).toEqual({ task: before.body.task, isNew: false });
    } finally {
      await service.waybill.system.resume();
    }
    expect((await deliver(name, { id: 'meanwhile' })).body.isNew).toBe(true);
  });

  it('nor if only its queue takes none', async () => {
    const { name, queue } = await newTrigger();
    await service.waybill.queue(queue).closeIntake();
    expect((await deliver(name)).status).toBe(503);
    await service.waybill.queue(queue).openIntake();
    expect((await deliver(name)).status).toBe(200);
  });
});

describe('the definition', () => {
  it.each<[string, string, object]>([
    ['a secret that nobody has configured', '/delivery/secret', { delivery: { scheme: 'github', secret: 'nobody' } }],
    ['a secret of another form', '/delivery/secret', { delivery: { scheme: 'standard', secret: 'github' } }],
    [
      'credentials for ever',
      '/delivery/headers/0',
      { delivery: { scheme: 'github', secret: 'github', headers: ['cookie'] } },
    ],
    [
      'notice of what its senders learn',
      '/notify',
      { notify: { webhook: { url: 'http://127.0.0.1/', secret: 'loop' } } },
    ],
    ['the label that the trigger gives', '/task/labels/trigger', { task: { queue: 'mail', labels: { trigger: 'x' } } }],
    ['a payload that is no object', '/task/payload', { task: { queue: 'mail', payload: [1] } }],
    ['times as well', '/delivery', { cron: '* * * * *', timeZone: 'UTC' }],
    ['mail instead of a task', '/mail', { mail: { to: ['ann@example.com'] } }],
    ['no task', '/task', { task: undefined }],
  ])('is refused with %s', async (_, pointer, wrong) => {
    const right = { delivery: { scheme: 'github', secret: 'github' }, task: { queue: 'mail' } };
    const refusal = service.waybill.trigger('wrong').define({ ...right, ...wrong } as TriggerDefinition);
    await expect(refusal).rejects.toMatchObject({ code: 'INVALID_INPUT', problem: { errors: [{ pointer }] } });
  });

  it('shows what it takes, and never the secret', async () => {
    const { handle } = await newTrigger({ scheme: 'github', secret: 'github', headers: ['x-github-event'] });
    const view = await handle.get();
    expect(view).toMatchObject({
      delivery: { scheme: 'github', secret: 'github', headers: ['x-github-event'] },
      words: "For every delivery, signed as GitHub signs, with the secret 'github'",
      next: [],
      last: null,
    });
    expect(JSON.stringify(view)).not.toContain(SECRETS.github);
  });

  it('fired by hand makes a task that says so', async () => {
    const { name, queue, handle } = await newTrigger();
    const { id } = await handle.fire();
    const { payload, labels } = await service.waybill.task(id).get();
    expect(payload).toEqual({
      delivery: { id: null, headers: {}, body: { type: 'waybill.FiredByHand', by: 'anonymous' } },
    });
    expect([labels, await tasksOf(queue)]).toEqual([{ trigger: name }, [expect.objectContaining({ id })]]);
    expect((await handle.get()).last).toMatchObject({ task: id });
  });
});

it('is counted by what became of it, without the names that nobody has signed', async () => {
  const { name, queue } = await newTrigger();
  await deliver(name, { id: 'a' });
  await deliver(name, { id: 'a' });
  await service.waybill.queue(queue).closeIntake();
  await deliver(name, { id: 'b' });
  await deliver('made-up-name');
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const lines = metrics.split('\n').filter((line) => line.startsWith('waybill_deliveries_total'));
  for (const outcome of ['taken', 'repeated', 'refused'])
    expect(lines).toContain(`waybill_deliveries_total{trigger="${name}",outcome="${outcome}"} 1`);
  expect(lines).toContainEqual(
    expect.stringMatching(/^waybill_deliveries_total\{trigger="",outcome="unsigned"\} \d+$/),
  );
  expect(metrics).not.toContain('made-up-name');
});

it('takes what Waybill itself sends, as its task goes out and comes in again', async () => {
  const { name, queue } = await newTrigger({ headers: ['webhook-id'] });
  const { id } = await service.waybill.deliver({
    webhook: {
      url: `${service.url}/v1/triggers/${name}/deliveries`,
      secret: 'loop',
      type: 'com.example.counted',
      data: { items: 7 },
    },
  });
  const [claimed] = await service.waybill.queue(queue).claim({ worker: 'w', waitMs: 60_000 });
  const { payload } = await service.waybill.task(claimed!.taskId).get();
  expect(payload).toMatchObject({
    delivery: {
      id,
      headers: { 'webhook-id': id },
      body: { specversion: '1.0', id, type: 'com.example.counted', data: { items: 7 } },
    },
  });
  expect(await service.waybill.task(id).result()).toMatchObject({});
});
