import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWaybill } from '@waybill/client';
import { createHash } from 'node:crypto';
import { type ApiKey, PERMISSIONS } from '../../../src/api/access/api-keys.js';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { RobotApiModule } from '../../../examples/robot-api/robot-api.module.js';
import { STATUSES, type Status } from '../../../examples/robot-api/requests.js';
import { until } from '../../support/until.js';
import { type RunningService, startService } from '../../support/running-service.js';

let service: RunningService;
let keyed: RunningService;
let app: NestFastifyApplication;
beforeAll(async () => {
  service = await startService();
  keyed = await startService({
    apiKeys: [keyOf('boss', [...PERMISSIONS]), keyOf('robot-7', ['read', 'enqueue:robots-keyed', 'work:robots-keyed'])],
  });
  const over = RobotApiModule.over(
    createWaybill({ url: service.url, actor: 'administrator', logger: null }),
    (apiKey) => createWaybill({ url: keyed.url, apiKey }),
  );
  app = await NestFactory.create<NestFastifyApplication>(over, new FastifyAdapter(), { logger: false });
  await app.init();
});
afterAll(async () => {
  await app.close();
  await keyed.stop();
  await service.stop();
});

const keyOf = (name: string, may: ApiKey['may']): ApiKey => ({
  name,
  may,
  sha256: createHash('sha256').update(`wb_${name}`).digest('hex'),
});

interface Said {
  readonly status: number;
  readonly body: any;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

async function call(method: Method, path: string, payload?: object, headers = {}): Promise<Said> {
  const answer = await app.inject({ method, url: `/api/${path}`, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.body === '' ? null : JSON.parse(answer.body) };
}

let made = 0;
async function newQueue(more: object = {}): Promise<{ readonly id: string; readonly name: string }> {
  const { body } = await call('POST', 'queues', { name: `robots-${++made}`, ...more });
  return body as { id: string; name: string };
}

const add = async (queue_id: string, more: object = {}): Promise<any> =>
  (await call('POST', 'queue-items', { queue_id, ...more })).body;

const next = (queue_name: string, robot_id = 'robot-1') =>
  call('GET', `queue-items/next?queue_name=${queue_name}&robot_id=${robot_id}`);

describe('the routes of a queue system for robots', () => {
  it.each([{ max_retries: 2 }, { enforce_unique_reference: false }, { description: 'others' }])(
    'S4-01 answer 409 to a name that a queue with other rules has: %j',
    async (other) => {
      const name = `taken-${++made}`;
      const given = { name, max_retries: 5, enforce_unique_reference: true, description: 'bills' };
      const first = await call('POST', 'queues', given);
      expect(await call('POST', 'queues', given)).toEqual(first);
      expect(await call('POST', 'queues', { ...given, ...other })).toMatchObject({
        status: 409,
        body: {
          message: `Expected a queue of another name, but '${name}' exists, with max_retries 5, enforce_unique_reference true and the description 'bills'`,
        },
      });
      expect(await call('GET', `queues/${first.body.id}`)).toMatchObject({ status: 200, body: first.body });
    },
  );

  it('S4-05 take items by the id of the queue, and by its name', async () => {
    const { id, name } = await newQueue();
    const byId = await call('POST', 'queue-items', {
      queue_id: id,
      payload: { total: 1 },
      reference: 'a',
      priority: 3,
    });
    const byName = await call('POST', 'queue-items/add', { queue_name: name });
    expect([byId.status, byName.status]).toEqual([201, 201]);
    const item = { queue_id: id, status: 'NEW', payload: { total: 1 }, reference: 'a', priority: 3, retries: 0 };
    expect(byId.body).toMatchObject(item);
    expect((await call('GET', `queue-items/${byName.body.id}`)).body).toMatchObject({ queue_id: id, priority: 0 });
  });

  it.each([
    ['queue-items', { queue_id: '01900000-0000-7000-8000-000000000000' }],
    ['queue-items/add', { queue_name: 'nowhere' }],
  ])('S4-05 refuse an item for an unknown queue at %s', async (path, body) => {
    const [queue] = Object.values(body);
    expect(await call('POST', path, body)).toMatchObject({
      status: 404,
      body: { message: `Expected a queue, but there is no '${queue}'` },
    });
  });

  it('S4-12 refuse to give out an item of no queue, and give out one by the id or the name of its queue', async () => {
    const { id, name } = await newQueue();
    await add(id, { payload: 1 });
    await add(id, { payload: 2 });
    expect(await call('GET', 'queue-items/next')).toMatchObject({
      status: 400,
      body: { message: 'Expected queue_name or queue_id, but got neither' },
    });
    expect((await call('GET', `queue-items/next?queue_id=${id}`)).body).toMatchObject({ payload: 1 });
    expect((await next(name)).body).toMatchObject({ payload: 2 });
    expect(await next(name)).toEqual({ status: 204, body: null });
  });

  it('S4-06 answer an item whose key another one has that is NEW with that one, as long as it is', async () => {
    const { id, name } = await newQueue();
    const first = await call('POST', 'queue-items', { queue_id: id, key: 'customer-7', payload: 1 });
    const again = await call('POST', 'queue-items/add', { queue_name: name, key: 'customer-7', payload: 2 });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toMatchObject({ id: first.body.id, key: 'customer-7', payload: 1 });
    const { token } = (await next(name)).body;
    await call('POST', `queue-items/${first.body.id}/status`, { status: 'DONE', token });
    const later = await call('POST', 'queue-items', { queue_id: id, key: 'customer-7', payload: 3 });
    expect(later).toMatchObject({ status: 201, body: { key: 'customer-7', payload: 3 } });
  });

  it('S4-15 act by the API key that a robot sends, in either header, which the service checks', async () => {
    const boss = createWaybill({ url: keyed.url, apiKey: 'wb_boss' });
    await boss.queue('robots-keyed').define();
    await boss.queue('robots-other').define();
    const item = { queue_name: 'robots-keyed', payload: 1 };
    const added = await call('POST', 'queue-items/add', item, { authorization: 'Bearer wb_robot-7' });
    expect(added.status).toBe(201);
    const [enqueued] = await boss.task(added.body.id).history();
    expect(enqueued!.envelope.actor).toBe('robot-7');
    const other = { ...item, queue_name: 'robots-other' };
    expect(await call('POST', 'queue-items/add', other, { 'x-api-key': 'wb_robot-7' })).toMatchObject({
      status: 403,
      body: { error: 'FORBIDDEN' },
    });
    expect((await call('POST', 'queue-items/add', item, { 'x-api-key': 'wb_nobody' })).status).toBe(401);
  });

  it('S4-04 define, show, list, change and delete triggers of both types', async () => {
    const { id } = await newQueue();
    const daily = { name: `daily-${made}`, type: 'TIME', process: 'close-books', cron: '0 6 * * 1-5' };
    const post = { name: `post-${made}`, type: 'QUEUE', process: 'post', queue_id: id, enabled: false };
    expect(await call('POST', 'triggers', daily)).toMatchObject({
      status: 201,
      body: { ...daily, time_zone: 'UTC', queue_id: null, batch_size: null, enabled: true, last_fired_at: null },
    });
    expect((await call('POST', 'triggers', post)).body).toMatchObject({
      ...post,
      batch_size: 1,
      polling_interval: 30,
      next_fire_at: null,
      last_processed_item_id: null,
    });
    const { items } = (await call('GET', 'triggers')).body;
    expect(items.map(({ name }: { name: string }) => name)).toEqual([daily.name, post.name]);
    const change = { batch_size: 5, polling_interval: 60, enabled: true };
    expect((await call('PUT', `triggers/${post.name}`, change)).body).toMatchObject({ ...post, ...change });
    expect((await call('PUT', `triggers/${daily.name}`, { enabled: false })).body).toMatchObject({
      cron: '0 6 * * 1-5',
      enabled: false,
    });
    const wrong = await call('PUT', `triggers/${post.name}`, { cron: '0 6 * * *' });
    expect([wrong.status, wrong.body.message]).toEqual([
      400,
      "Expected fields of a QUEUE trigger, but 'cron' is one of the other type",
    ]);
    expect((await call('POST', 'triggers', daily)).body).toMatchObject({ ...daily, enabled: true });
    expect((await call('DELETE', `triggers/${daily.name}`)).status).toBe(204);
    expect((await call('GET', `triggers/${daily.name}`)).status).toBe(404);
  });

  it.each([
    [{ type: 'QUEUE' }, 400, 'Expected queue_id, because the trigger has the type QUEUE'],
    [{ type: 'TIME' }, 400, 'Expected cron, because the trigger has the type TIME'],
    [{ type: 'QUEUE', queue_id: 'nowhere' }, 404, "Expected a queue, but there is no 'nowhere'"],
    [{ type: 'TIME', cron: '0 0 30 2 *' }, 422, expect.stringContaining('0 0 30 2 *')],
  ])('S4-04 refuse a trigger of %j', async (given, status, message) => {
    const answer = await call('POST', 'triggers', { name: 'bad', process: 'p', ...given });
    expect(answer.status).toBe(status);
    expect([answer.body.message].flat()).toContainEqual(message);
  });

  it('S4-27 start jobs for the items of a queue, which a robot gets with their tokens', async () => {
    const { id } = await newQueue();
    const first = await add(id, { payload: 1 });
    const second = await add(id, { payload: 2 });
    const name = `jobs-${made}`;
    await call('POST', 'triggers', { name, type: 'QUEUE', process: 'post', queue_id: id, batch_size: 2 });
    const job = await until('a job', async () => (await next('robot-jobs')).body);
    expect(job.kind).toBe('post');
    expect(job.items.map(({ payload }: { payload: number }) => payload)).toEqual([1, 2]);
    expect((await call('GET', `queue-items/${first.id}`)).body).toMatchObject({
      status: 'IN_PROGRESS',
      job_id: job.id,
    });
    const [{ token }] = job.items;
    await call('POST', `queue-items/${first.id}/status`, { status: 'DONE', token });
    expect((await call('GET', `queue-items/${first.id}`)).body).toMatchObject({ status: 'DONE' });
    expect((await call('GET', `triggers/${name}`)).body).toMatchObject({
      last_processed_item_id: second.id,
      last_fired_at: expect.any(String),
    });
  });

  it('S4-07 answer 409 to a reference that another item has', async () => {
    const { id } = await newQueue({ enforce_unique_reference: true });
    const holder = await add(id, { reference: 'INV-1' });
    const refused = await call('POST', 'queue-items', { queue_id: id, reference: 'INV-1' });
    expect(refused).toMatchObject({ status: 409, body: { error: 'REFERENCE_IN_USE' } });
    expect(refused.body.message).toContain(holder.id);
  });

  it('S4-17 refuse items and give out none while the queue is inactive', async () => {
    const { id, name } = await newQueue();
    await add(id);
    expect((await call('PUT', `queues/${id}`, { is_active: false })).body).toMatchObject({ is_active: false });
    expect(await call('POST', 'queue-items', { queue_id: id })).toMatchObject({ status: 409 });
    expect((await next(name)).status).toBe(204);
    expect((await call('PUT', `queues/${id}`, { is_active: true })).body).toMatchObject({ is_active: true });
    expect((await next(name)).status).toBe(200);
  });

  it('S4-18 set the status, the result and the error', async () => {
    const { id, name } = await newQueue();
    await add(id);
    await add(id);
    const [first, second] = [(await next(name)).body, (await next(name)).body];
    const done = { status: 'DONE', result: { booked: 1 }, token: first.token };
    expect((await call('POST', `queue-items/${first.id}/status`, done)).body).toMatchObject({
      status: 'DONE',
      result: { booked: 1 },
      locked_by_robot_id: 'robot-1',
    });
    const failed = await call('PUT', `queue-items/${second.id}`, { status: 'FAILED', error_message: 'No tax number' });
    expect(failed.body).toMatchObject({ status: 'FAILED', error_message: 'No tax number' });
  });

  it('S4-18 keep the result that an administrator gives, and one that a robot gives with a failure', async () => {
    const { id, name } = await newQueue();
    await add(id);
    await add(id);
    await add(id);
    const [first, second, third] = [(await next(name)).body, (await next(name)).body, (await next(name)).body];
    const done = await call('PUT', `queue-items/${first.id}`, { status: 'DONE', result: { booked: 1 } });
    expect(done).toMatchObject({ status: 200, body: { status: 'DONE', result: { booked: 1 }, error_message: null } });
    const failed = await call('PUT', `queue-items/${second.id}`, {
      status: 'FAILED',
      result: { booked: 0 },
      error_message: 'No tax number',
    });
    expect(failed.body).toMatchObject({ status: 'FAILED', result: { booked: 0 }, error_message: 'No tax number' });
    const report = { status: 'FAILED', result: { page: 7 }, token: third.token };
    const reported = await call('POST', `queue-items/${third.id}/status`, report);
    expect(reported.body).toMatchObject({ status: 'FAILED', result: { page: 7 } });
    expect((await call('GET', `queue-items/${third.id}`)).body).toMatchObject({ result: { page: 7 } });
  });

  it.each(['NEW', 'IN_PROGRESS', 'DONE', 'FAILED'] as const)(
    'S4-18 set a result or an error alone, and leave the status %s as it is',
    async (status) => {
      const { id } = await itemIn(status);
      const only = await call('PUT', `queue-items/${id}`, { result: { seen: true } });
      expect(only).toMatchObject({ status: 200, body: { status, result: { seen: true } } });
      const message = await call('PUT', `queue-items/${id}`, { error_message: 'Ann was told' });
      expect(message.body).toMatchObject({ status, result: { seen: true }, error_message: 'Ann was told' });
      expect(await call('PUT', `queue-items/${id}`, {})).toMatchObject({ status: 400 });
    },
  );

  it.each([
    ['that is empty', ''],
    ['of blanks', '  '],
    ['of 5,000 characters', 'm'.repeat(5_000)],
    ['that would be cut within a character', `${'m'.repeat(1_023)}😀`],
  ])('S4-18 keep an error message of an administrator %s', async (_, error_message) => {
    const { id } = await itemIn('IN_PROGRESS');
    const failed = await call('PUT', `queue-items/${id}`, { status: 'FAILED', error_message, result: { page: 7 } });
    expect(failed).toMatchObject({ status: 200, body: { status: 'FAILED', error_message, result: { page: 7 } } });
  });

  it('S4-18 let what a robot reports later replace what was set before', async () => {
    const { id, token } = await itemIn('IN_PROGRESS');
    await call('POST', `queue-items/${id}/status`, { result: { half: 1 }, token });
    expect((await call('GET', `queue-items/${id}`)).body).toMatchObject({ status: 'IN_PROGRESS', result: { half: 1 } });
    const done = await call('POST', `queue-items/${id}/status`, { status: 'DONE', result: { whole: 1 }, token });
    expect(done.body).toMatchObject({ status: 'DONE', result: { whole: 1 } });
  });

  it('S4-36 average items, DONE and FAILED ones, and not their attempts', async () => {
    const { id, name } = await newQueue();
    for (let each = 0; each < 3; each++) await add(id);
    const items = [(await next(name)).body, (await next(name)).body, (await next(name)).body];
    await call('PUT', `queue-items/${items[0].id}`, { status: 'NEW' });
    const statsWhen = (done: number, failed: number) =>
      until('the statistics to catch up', async () => {
        const { body } = await call('GET', `queues/${id}/stats`);
        return body.DONE === done && body.FAILED === failed ? body : null;
      });
    expect((await statsWhen(0, 0)).avgProcessingMs).toBeNull();
    await call('POST', `queue-items/${items[1].id}/status`, { status: 'DONE', token: items[1].token });
    await call('POST', `queue-items/${items[2].id}/status`, { status: 'FAILED', token: items[2].token });
    const times = await Promise.all(items.slice(1).map((item) => processedMs(item.id)));
    const { avgProcessingMs } = await statsWhen(1, 1);
    expect(Math.abs(avgProcessingMs - (times[0]! + times[1]!) / 2)).toBeLessThanOrEqual(2);
    await call('PUT', `queue-items/${items[2].id}`, { status: 'NEW' });
    expect((await statsWhen(1, 0)).avgProcessingMs).toBe(times[0]);
  });

  it('S4-02 list the items of a queue by status and reference, page by page', async () => {
    const { id, name } = await newQueue();
    const made = [await add(id, { reference: 'a' }), await add(id), await add(id, { reference: 'c' })];
    const { id: taken } = (await next(name)).body;
    await call('DELETE', `queue-items/${made[1].id}`);
    const listed = async (query: string): Promise<any> => (await call('GET', `queue-items?${query}`)).body;
    const idsIn = async (query: string) => (await listed(query)).items.map((item: { id: string }) => item.id);
    expect(taken).toBe(made[0].id);
    expect((await listed(`queue_id=${id}&status=IN_PROGRESS`)).items).toEqual([
      expect.objectContaining({
        id: taken,
        queue_id: id,
        status: 'IN_PROGRESS',
        reference: 'a',
        retries: 0,
        locked_by_robot_id: 'robot-1',
      }),
    ]);
    expect(await idsIn(`queue_name=${name}&status=NEW`)).toEqual([made[2].id]);
    expect(await idsIn(`queue_id=${id}&status=DELETED`)).toEqual([made[1].id]);
    expect(await idsIn(`queue_id=${id}&reference=c`)).toEqual([made[2].id]);
    const first = await listed(`queue_id=${id}&limit=1&reference=a`);
    expect(first.items).toHaveLength(1);
    const pages = await listed(`queue_id=${id}&limit=2`);
    const rest = await idsIn(`queue_id=${id}&limit=2&cursor=${encodeURIComponent(pages.next_cursor)}`);
    expect([...pages.items.map((item: { id: string }) => item.id), ...rest].toSorted()).toEqual(
      made.map((item) => item.id).toSorted(),
    );
  });

  it.each([
    ['status=OPEN', 'status must be one of'],
    ['limit=501', 'limit must not be greater than 500'],
    ['', 'Expected queue_name or queue_id, but got neither'],
  ])('S4-02 refuse to list %s', async (query, message) => {
    const { status, body } = await call('GET', `queue-items?${query}`);
    expect({ status, message: String(body.message) }).toEqual({
      status: 400,
      message: expect.stringContaining(message),
    });
  });

  it('S4-20 S4-34 delete an item softly, and count those that are left by their status', async () => {
    const { id, name } = await newQueue();
    const gone = await add(id, { priority: -1 });
    for (let each = 0; each < 4; each++) await add(id);
    const items = [(await next(name)).body, (await next(name)).body, (await next(name)).body];
    await call('POST', `queue-items/${items[0].id}/status`, { status: 'DONE', token: items[0].token });
    await call('POST', `queue-items/${items[1].id}/status`, { status: 'FAILED', token: items[1].token });
    await call('DELETE', `queue-items/${gone.id}`);
    expect((await call('GET', `queue-items/${gone.id}`)).body).toMatchObject({ status: 'DELETED' });
    const body = await until('the statistics to catch up', async () => {
      const stats = (await call('GET', `queues/${id}/stats`)).body;
      return stats.NEW === 1 && stats.FAILED === 1 ? stats : null;
    });
    expect(body).toMatchObject({ NEW: 1, IN_PROGRESS: 1, DONE: 1, FAILED: 1, bizExceptions: 0, appExceptions: 1 });
    expect(body.avgProcessingMs).toBeGreaterThanOrEqual(0);
  });
});

describe('the failures of a queue', () => {
  it('S4-35 are of the business by the fields of their result or the word in their message, and add up to FAILED', async () => {
    const { id, name } = await newQueue();
    const reports = [
      { result: { failure_reason: 'business' } },
      { result: { reason: 'BusinessRuleException' } },
      { result: { type: 'business' } },
      { error_message: 'A business rule forbids it' },
      { result: { type: 'application' }, error_message: 'No business today' },
      { result: { total: 1 }, error_message: 'Out of memory' },
      {},
    ];
    for (const report of reports) {
      await add(id);
      const { id: item, token } = (await next(name)).body;
      await call('POST', `queue-items/${item}/status`, { status: 'FAILED', token, ...report });
    }
    await add(id);
    const { id: overruled } = (await next(name)).body;
    await call('PUT', `queue-items/${overruled}`, { status: 'FAILED', error_message: 'Business closed' });
    const stats = await until('the statistics to catch up', async () => {
      const { body } = await call('GET', `queues/${id}/stats`);
      return body.FAILED === 8 ? body : null;
    });
    expect(stats).toMatchObject({ FAILED: 8, bizExceptions: 5, appExceptions: 3 });
  });
});

describe('what robots recorded', () => {
  it('S4-19 keeps a sub-status of their own, which they and administrators set beside the status', async () => {
    const { id, token } = await itemIn('IN_PROGRESS');
    const read = async () => (await call('GET', `queue-items/${id}`)).body;
    expect(await read()).toMatchObject({ status: 'IN_PROGRESS', sub_status: null });
    const working = { status: 'IN_PROGRESS', sub_status: 'Logged in', token };
    expect((await call('POST', `queue-items/${id}/status`, working)).body).toMatchObject({
      status: 'IN_PROGRESS',
      sub_status: 'Logged in',
    });
    const wrong = await call('POST', `queue-items/${id}/status`, { ...working, token: `1${token}` });
    expect(wrong).toMatchObject({ status: 409, body: { error: 'LEASE_LOST' } });
    const failed = { status: 'FAILED', sub_status: 'Waiting for Ann', token };
    await call('POST', `queue-items/${id}/status`, failed);
    expect(await read()).toMatchObject({ status: 'FAILED', sub_status: 'Waiting for Ann' });
    await call('PUT', `queue-items/${id}`, { status: 'FAILED', sub_status: 'Ann is ill' });
    expect(await read()).toMatchObject({ status: 'FAILED', sub_status: 'Ann is ill' });
    await call('PUT', `queue-items/${id}`, { status: 'NEW', sub_status: null });
    expect(await read()).toMatchObject({ status: 'NEW', sub_status: null });
  });

  it('S4-22 counts the retries of an item, and neither lost leases nor items that were put back', async () => {
    const { id, token } = await itemIn('IN_PROGRESS');
    const { queue } = await service.waybill.task(id).get();
    await call('POST', `queue-items/${id}/status`, { status: 'NEW', token });
    const again = (await next(queue!)).body;
    expect((await call('GET', `queue-items/${id}`)).body).toMatchObject({ status: 'IN_PROGRESS', retries: 0 });
    await call('POST', `queue-items/${id}/status`, { status: 'FAILED', token: again.token });
    await call('PUT', `queue-items/${id}`, { status: 'NEW' });
    expect((await call('GET', `queue-items/${id}`)).body).toMatchObject({ status: 'NEW', retries: 1 });
  });
});

describe('the deletion of a queue', () => {
  it('S4-21 deletes it with its items', async () => {
    const { id } = await newQueue();
    const { id: item } = await add(id);
    const { status, body } = await call('DELETE', `queues/${id}`);
    expect([status, body]).toMatchObject([202, { status: 'DELETING', items: 1 }]);
    await until('the queue to be gone', async () => ((await call('GET', `queues/${id}`)).status === 404 ? true : null));
    expect((await service.waybill.task(item).get()).state).toBe('deleted');
  });
});

/** From the claim to the end of the attempt. */
/** How long it ran when its success was decided, or until its failure was stored: on a busy machine, both come some time apart. */
async function processedMs(id: string): Promise<number> {
  const task = service.waybill.task(id);
  const done = (await task.history()).findLast(({ type }) => type === 'TaskSucceeded');
  if (done) return (done.data as { ranMs: number }).ranMs;
  const { startedAt, endedAt } = await task.get();
  return Date.parse(endedAt!) - Date.parse(startedAt!);
}

/** A new item in the status, and the token of the robot that has or had it. */
async function itemIn(status: Status): Promise<{ readonly id: string; readonly token: string }> {
  const queue = await newQueue();
  const { id } = await add(queue.id);
  if (status === 'NEW') return { id, token: 'none' };
  if (status === 'DELETED') {
    await call('DELETE', `queue-items/${id}`);
    return { id, token: 'none' };
  }
  const { token } = (await next(queue.name)).body;
  if (status !== 'IN_PROGRESS') await call('POST', `queue-items/${id}/status`, { status, token });
  return { id, token };
}

/** What an administrator can do. Only a claim makes an item IN_PROGRESS. */
const POSSIBLE: Readonly<Record<Status, readonly Status[]>> = {
  NEW: ['DELETED'],
  IN_PROGRESS: ['NEW', 'DONE', 'FAILED', 'DELETED'],
  DONE: ['DELETED'],
  FAILED: ['NEW', 'DELETED'],
  DELETED: [],
};

describe('the status of an item', () => {
  it.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))(
    'S4-19 S4-03 from %s to %s is set, is so already, or is refused with an explanation',
    async (from, to) => {
      const { id } = await itemIn(from);
      const { status, body } = await call('PUT', `queue-items/${id}`, { status: to });
      const isPossible = from === to || POSSIBLE[from].includes(to);
      expect({ from, to, status }).toEqual({ from, to, status: isPossible ? 200 : 409 });
      if (!isPossible) {
        const follow = POSSIBLE[from].join(', ') || 'none';
        expect(body.message).toBe(`Expected a status that can follow ${from} (${follow}), but got ${to}`);
      }
      expect((await call('GET', `queue-items/${id}`)).body.status).toBe(isPossible ? to : from);
    },
  );

  it('S4-19 that is unknown is refused', async () => {
    const { id } = await itemIn('NEW');
    expect(await call('PUT', `queue-items/${id}`, { status: 'WAITING' })).toMatchObject({ status: 400 });
  });

  it('S4-19 is set by a robot only with the token of its claim', async () => {
    const { id, token } = await itemIn('IN_PROGRESS');
    expect((await call('POST', `queue-items/${id}/status`, { status: 'DONE' })).status).toBe(400);
    const wrong = await call('POST', `queue-items/${id}/status`, { status: 'DONE', token: `1${token}` });
    expect(wrong).toMatchObject({ status: 409, body: { error: 'LEASE_LOST' } });
    expect((await call('POST', `queue-items/${id}/status`, { status: 'DONE', token })).status).toBe(200);
  });

  it('S4-19 may be overruled by an administrator, which is recorded and makes the late report refused', async () => {
    const { id, token } = await itemIn('IN_PROGRESS');
    await call('PUT', `queue-items/${id}`, { status: 'FAILED', error_message: 'The robot hangs' });
    const late = await call('POST', `queue-items/${id}/status`, { status: 'DONE', token });
    expect(late).toMatchObject({ status: 409, body: { error: 'LEASE_LOST' } });
    const overruled = (await service.waybill.task(id).history()).find(({ type }) => type === 'TaskOverruled')!;
    expect(overruled).toMatchObject({ data: { by: 'administrator', reason: 'The robot hangs' } });
  });
});
