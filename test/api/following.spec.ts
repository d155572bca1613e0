import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWaybill, type QueueHandle, type Waybill } from '@waybill/client';
import { type FollowedTask, followTask } from '@waybill/client/follow';
import { createHash } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { FollowTokens } from '../../src/api/access/follow-tokens.js';
import { type RunningService, startService } from '../support/running-service.js';

const SECRET = 'k3Jx0v2Q1mZr8uYp5tWb7nLc9sDf6hGa';
const OLD_SECRET = 'a6Hf9sDc7nLb5tWp8uYr1mZq0v2J3xKk';
const SHOP = 'https://shop.example.com';
const HOUR_MS = 3_600_000;
const keyOf = (name: string, may: readonly string[]) => ({
  name,
  sha256: createHash('sha256').update(`wb_${name}`).digest('hex'),
  may: may as ['read'],
});
const apiKeys = [keyOf('boss', ['read', 'enqueue', 'work', 'operate', 'metrics']), keyOf('clerk', ['read:other'])];

let service: RunningService;
let waybill: Waybill;
beforeAll(async () => {
  service = await startService({ apiKeys, followSecrets: [SECRET, OLD_SECRET], followOrigins: [SHOP] });
  waybill = createWaybill({ url: service.url, apiKey: 'wb_boss', actor: 'ann', timeoutMs: 20_000 });
});
afterAll(() => service.stop());

let made = 0;
async function newQueue(): Promise<QueueHandle> {
  const queue = waybill.queue(`followed-${++made}`);
  await queue.define({ onFailure: 'fail' });
  return queue;
}

async function begin(queue: QueueHandle) {
  const [task] = await queue.claim({ worker: 'w1', waitMs: 30_000 });
  return task!;
}

type Verdict = Parameters<Waybill['settle']>[0][0]['verdict'];

async function end(queue: QueueHandle, verdict: Verdict): Promise<void> {
  const { taskId, token } = await begin(queue);
  await waybill.settle([{ taskId, token, verdict }]);
}

const signs = (secret: string) => new FollowTokens([secret]);
const validFor = (task: string, ms: number) => ({ task, expiresAt: Date.now() + ms });

interface Asked extends RequestInit {
  readonly headers?: Record<string, string>;
}

/** What the service answers to somebody with this token, and nothing else. */
const ask = (path: string, token: string, init: Asked = {}): Promise<Response> =>
  fetch(service.url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });

async function refusalOf(asked: Promise<Response>): Promise<[status: number, code: string]> {
  const response = await asked;
  return [response.status, ((await response.json()) as { code: string }).code];
}

async function untilEnd(messages: AsyncIterable<FollowedTask>): Promise<FollowedTask[]> {
  const seen: FollowedTask[] = [];
  for await (const one of messages) seen.push(one);
  return seen;
}

async function firstOf(messages: AsyncIterable<FollowedTask>): Promise<FollowedTask> {
  for await (const one of messages) return one;
  throw new Error('Expected a message, but the stream ended');
}

const typesOf = (messages: readonly FollowedTask[]): string[] =>
  messages.flatMap(({ events }) => events.map(({ type }) => type));

describe('whoever follows a task by a token', () => {
  it('is told its states as they come, and its result, and is done with it', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    const { token, task } = await waybill.task(id).followToken();
    expect(task).toBe(id);
    const messages = followTask(service.url, token);
    expect((await messages.next()).value).toMatchObject({ task: id, state: 'pending', ended: false, result: null });
    const { taskId, token: claimed } = await begin(queue);
    expect((await messages.next()).value).toMatchObject({ state: 'running', events: [{ type: 'TaskClaimed' }] });
    await waybill.settle([{ taskId, token: claimed, verdict: { type: 'succeed', result: { pages: 3 } } }]);
    const last = await untilEnd(messages);
    expect(last).toMatchObject([{ state: 'succeeded', ended: true, result: { pages: 3 }, error: null }]);
  });

  it('is told the same by any process of the service', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    const { token } = await waybill.task(id).followToken();
    const messages = [service.url, await service.addUrl()].map((url) => untilEnd(followTask(url, token)));
    await end(queue, { type: 'succeed', result: 7 });
    for (const seen of await Promise.all(messages)) {
      expect(seen.at(-1)).toMatchObject({ ended: true, result: 7 });
      expect(typesOf(seen)).toEqual(['TaskEnqueued', 'TaskClaimed', 'TaskSucceeded']);
    }
  });

  it('is told an end that has been, at once', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    await end(queue, { type: 'fail', error: { class: 'business', message: 'no tax number' } });
    const { token } = await waybill.task(id).followToken();
    expect(await untilEnd(followTask(service.url, token))).toMatchObject([
      { state: 'failed', ended: true, error: { class: 'business', message: 'no tax number' } },
    ]);
  });

  it('learns neither payload, labels, actors and reasons, nor the details of failures', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue({ salary: 'marker-1' }, { labels: { tenant: 'marker-2' }, key: 'marker-3' });
    await waybill.task(id).annotate({ note: 'marker-4' }, { reason: 'marker-5' });
    const error = { class: 'business', message: 'seen', details: { stack: 'marker-6' } } as const;
    await end(queue, { type: 'fail', error });
    const { token } = await waybill.task(id).followToken();
    const text = await (await ask(`/v1/tasks/${id}/follow`, token)).text();
    expect(text).toContain('"message":"seen"');
    expect(text.match(/marker-\d|ann|w1/g)).toBeNull();
  });

  it('goes on after the last message that arrived', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    const { token } = await waybill.task(id).followToken();
    const first = await firstOf(followTask(service.url, token));
    await end(queue, { type: 'succeed' });
    const resumed = await ask(`/v1/tasks/${id}/follow`, token, { headers: { 'last-event-id': first.position } });
    const [, message] = /^data: (.*)$/m.exec(await resumed.text())!;
    expect(typesOf([JSON.parse(message!) as FollowedTask])).toEqual(['TaskClaimed', 'TaskSucceeded']);
  });
});

describe('a follow token', () => {
  let id: string;
  let token: string;
  beforeAll(async () => {
    ({ id } = await (await newQueue()).enqueue());
    ({ token } = await waybill.task(id).followToken());
  });

  it.each([
    ['another task', 'GET', `/v1/tasks/${uuidv7()}/follow`],
    ['the task itself', 'GET', '/v1/tasks/{id}'],
    ['its result', 'GET', '/v1/tasks/{id}/result'],
    ['its history', 'GET', '/v1/tasks/{id}/history'],
    ['a longer path', 'GET', '/v1/tasks/{id}/follow/x'],
    ['another token', 'POST', '/v1/tasks/{id}/follow-token'],
    ['a command', 'POST', '/v1/tasks/{id}/cancel'],
    ['all events', 'GET', '/v1/events'],
    ['metrics', 'GET', '/metrics'],
    ['what does not exist', 'GET', '/v1/nothing'],
    ['the head of the stream', 'HEAD', '/v1/tasks/{id}/follow'],
  ])('does not open %s', async (_, method, path) => {
    const response = await ask(path.replace('{id}', id), token, { method });
    expect(response.status).toBe(403);
  });

  it.each([
    ['has expired', (task: string) => signs(SECRET).tokenOf(validFor(task, -1_000))],
    [
      'is signed by a secret that is none any more',
      (task: string) => signs('x'.repeat(32)).tokenOf(validFor(task, HOUR_MS)),
    ],
    [
      'names another task than was signed',
      (task: string) =>
        signs(SECRET)
          .tokenOf(validFor(uuidv7(), HOUR_MS))
          .replace(/[0-9a-f-]{36}/, task),
    ],
    [
      'has a later end than was signed',
      (task: string) =>
        signs(SECRET)
          .tokenOf(validFor(task, 60_000))
          .replace(/\.(\d+)\./, (_, at) => `.${Number(at) + 60}.`),
    ],
    ['has no signature', (task: string) => `wbf1.${task}.9999999999.`],
    ['is only a beginning', () => 'wbf1.'],
  ])('is refused if it %s', async (_, tokenFor) => {
    expect(await refusalOf(ask(`/v1/tasks/${id}/follow`, tokenFor(id)))).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('by the secret of before is good as long as that is configured, too', async () => {
    const before = signs(OLD_SECRET).tokenOf(validFor(id, HOUR_MS));
    expect(await firstOf(followTask(service.url, before))).toMatchObject({ task: id });
  });

  it('ends its stream when it expires', async () => {
    const brief = signs(SECRET).tokenOf(validFor(id, 2_000));
    const refused = untilEnd(followTask(service.url, brief));
    await expect(refused).rejects.toMatchObject({ name: 'FollowRefused', status: 401, code: 'UNAUTHENTICATED' });
  });

  it('lives as long as asked for, up to a day, and an hour otherwise', async () => {
    const [usual, asked] = [
      await waybill.task(id).followToken(),
      await waybill.task(id).followToken({ expiresInMs: 60_000 }),
    ];
    const left = ({ expiresAt }: { expiresAt: string }): number => Date.parse(expiresAt) - Date.now();
    expect([left(usual) > 0.9 * HOUR_MS, left(usual) <= HOUR_MS, left(asked) <= 60_000]).toEqual([true, true, true]);
    await expect(waybill.task(id).followToken({ expiresInMs: 25 * HOUR_MS })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('lets so many follow a task at once, and others follow other tasks', async () => {
    const [left, busy] = [new AbortController(), (await (await newQueue()).enqueue()).id];
    const { token: shared } = await waybill.task(busy).followToken();
    const open = Array.from({ length: 20 }, () => ask(`/v1/tasks/${busy}/follow`, shared, { signal: left.signal }));
    expect(new Set((await Promise.all(open)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await refusalOf(ask(`/v1/tasks/${busy}/follow`, shared))).toEqual([429, 'TOO_MANY_STREAMS']);
    const metrics = await (await ask('/metrics', 'wb_boss')).text();
    expect(/^waybill_task_followers \d+$/m.exec(metrics)?.[0]).toBe('waybill_task_followers 20');
    const other = (await (await newQueue()).enqueue()).id;
    const { token: another } = await waybill.task(other).followToken();
    expect(await firstOf(followTask(service.url, another))).toMatchObject({ task: other });
    left.abort();
  });

  it('is made only for a task that the API key reaches', async () => {
    const clerk = createWaybill({ url: service.url, apiKey: 'wb_clerk' });
    await expect(clerk.task(id).followToken()).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    await expect(waybill.task(uuidv7()).followToken()).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  });
});

describe('a page of another origin', () => {
  const path = `/v1/tasks/${uuidv7()}/follow`;
  const preflight = (at: string, origin: string): Promise<Response> =>
    fetch(service.url + at, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'GET' } });

  it('may ask to follow a task if it is a configured one', async () => {
    const { status, headers } = await preflight(path, SHOP);
    expect([status, headers.get('access-control-allow-origin'), headers.get('access-control-allow-headers')]).toEqual([
      204,
      SHOP,
      'authorization, last-event-id',
    ]);
    const refused = await ask(path, 'wbf1.x', { headers: { origin: SHOP } });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, SHOP]);
  });

  it.each([
    ['another origin', path, 'https://evil.example.com'],
    ['an origin that begins alike', path, `${SHOP}.evil.example`],
    ['no origin', path, 'null'],
    ['another path', '/v1/tasks', SHOP],
    ['a token', `${path}-token`, SHOP],
  ])('is told nothing with %s', async (_, at, origin) => {
    const { status, headers } = await preflight(at, origin);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('a service without a secret', () => {
  it('says what to do, and knows no token', async () => {
    const plain = await startService();
    try {
      const queue = plain.waybill.queue('mail');
      await queue.define();
      const { id } = await queue.enqueue();
      await expect(plain.waybill.task(id).followToken()).rejects.toMatchObject({
        code: 'NO_FOLLOW_SECRET',
        detail: expect.stringContaining('name it in WAYBILL_FOLLOW_SECRET_FILE'),
      });
      const token = signs(SECRET).tokenOf(validFor(id, HOUR_MS));
      const response = await fetch(`${plain.url}/v1/tasks/${id}/follow`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(response.status).toBe(401);
    } finally {
      await plain.stop();
    }
  });
});

describe('a service that stops', () => {
  it('ends the streams at once, and whoever follows goes on with the next one', async () => {
    const brief = await startService({ followSecrets: [SECRET] });
    const queue = brief.waybill.queue('mail');
    await queue.define();
    const { id } = await queue.enqueue();
    const { token } = await brief.waybill.task(id).followToken();
    const response = await fetch(`${brief.url}/v1/tasks/${id}/follow`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const [text] = await Promise.all([response.text(), brief.stop()]);
    expect(text).toContain('"state":"pending"');
  });
});
