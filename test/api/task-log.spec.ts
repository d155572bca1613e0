import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, QueueHandle, Waybill } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
/** Another process of the same service. */
let other: Waybill;
beforeAll(async () => {
  service = await startService();
  other = await service.addInstance();
});
afterAll(() => service.stop());

let made = 0;
async function running(): Promise<{ readonly queue: QueueHandle; readonly task: ClaimedTask }> {
  const queue = service.waybill.queue(`log-${++made}`);
  await queue.define({ onFailure: 'fail' });
  await queue.enqueue();
  const [task] = await queue.claim({ worker: 'w1', waitMs: 30_000 });
  return { queue, task: task! };
}

const line = (number: number, text = `line ${number}`, fields?: object) => ({
  number,
  at: '2026-11-28T14:00:00.000Z',
  level: 'info',
  text,
  ...(fields && { fields }),
});

async function request(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
  const init = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(service.url + path, { method, ...init });
  return { status: response.status, body: await response.json() };
}

const say = ({ taskId, token }: ClaimedTask, ...log: object[]) =>
  request('POST', `/v1/tasks/${taskId}/extend`, { token, log });

const end = ({ taskId, token }: ClaimedTask) =>
  service.waybill.settle([{ taskId, token, verdict: { type: 'succeed' } }]);

async function all(waybill: Waybill, id: string, options = {}): Promise<string[]> {
  const texts: string[] = [];
  for await (const { text } of waybill.task(id).log(options)) texts.push(text);
  return texts;
}

describe('the log of a task', () => {
  it('has what its handler said, with attempt, level and fields, and nothing of a task that says nothing', async () => {
    const { task } = await running();
    expect(await all(service.waybill, task.taskId)).toEqual([]);
    expect((await say(task, line(1), { ...line(2, 'charged', { order: 7 }), level: 'warn' })).status).toBe(200);
    const { body } = await request('GET', `/v1/tasks/${task.taskId}/log`);
    expect(body).toMatchObject({
      items: [
        { attempt: 1, number: 1, level: 'info', text: 'line 1', fields: {}, at: '2026-11-28T14:00:00.000Z' },
        { attempt: 1, number: 2, level: 'warn', text: 'charged', fields: { order: 7 } },
      ],
      more: false,
      ended: false,
    });
  });

  it('is followed in whichever process, until the task has ended', async () => {
    const { task } = await running();
    await say(task, line(1));
    const followed = [service.waybill, other].map((waybill) => all(waybill, task.taskId, { follow: true }));
    await say(task, line(2));
    await say(task, line(3));
    await end(task);
    const texts = ['line 1', 'line 2', 'line 3'];
    expect(await Promise.all(followed)).toEqual([texts, texts]);
  });

  it('wakes a request that waits in another process at once', async () => {
    const { task } = await running();
    const waits = other.task(task.taskId).log({ follow: true }).next();
    await say(task, line(1));
    expect((await waits).value).toMatchObject({ text: 'line 1' });
    await end(task);
  });

  it('is read page by page', async () => {
    const { task } = await running();
    await say(task, line(1), line(2), line(3));
    const path = `/v1/tasks/${task.taskId}/log?limit=2`;
    const first = await request('GET', path);
    const second = await request('GET', `${path}&cursor=${first.body.nextCursor}`);
    const third = await request('GET', `${path}&cursor=${second.body.nextCursor}`);
    const numbers = [first, second, third].map(({ body }) => [
      body.items.map((one: { number: number }) => one.number),
      body.more,
    ]);
    expect(numbers).toEqual([
      [[1, 2], true],
      [[3], false],
      [[], false],
    ]);
  });

  it('keeps text that cannot be stored as it is with other characters, and refuses fields that are too large', async () => {
    const { task } = await running();
    expect((await say(task, line(1, 'a\0b', { 'k\0': '\ud800' }))).status).toBe(200);
    const [{ text, fields }] = (await request('GET', `/v1/tasks/${task.taskId}/log`)).body.items;
    expect({ text, fields }).toEqual({ text: 'a\ufffdb', fields: { 'k\ufffd': '\ufffd' } });
    const large = await say(task, line(2, 'x', { text: 'y'.repeat(4_096) }));
    expect(large).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
    expect(JSON.stringify(large.body)).toContain('Expected the fields of a line to have at most 4096 bytes');
  });

  it('refuses a task that does not exist, and a cursor of another task', async () => {
    const [{ task }, { task: another }] = [await running(), await running()];
    expect(await request('GET', `/v1/tasks/${uuidv7()}/log`)).toMatchObject({
      status: 404,
      body: { code: 'TASK_NOT_FOUND' },
    });
    const { nextCursor } = (await request('GET', `/v1/tasks/${another.taskId}/log`)).body;
    expect(await request('GET', `/v1/tasks/${task.taskId}/log?cursor=${nextCursor}`)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT' },
    });
  });

  it('takes nothing from a worker whose lease is over', async () => {
    const { task } = await running();
    await end(task);
    expect((await say(task, line(1))).body.code).toBe('LEASE_LOST');
    expect(await all(service.waybill, task.taskId)).toEqual([]);
  });
});
