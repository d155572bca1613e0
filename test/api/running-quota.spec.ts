import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createWaybill, type QueueHandle, type Waybill } from '@waybill/client';
import { createHash } from 'node:crypto';
import { type ApiKey, PERMISSIONS, type Quota } from '../../src/api/access/api-keys.js';
import { type RunningService, startService } from '../support/running-service.js';

const MOST = 3;

const keyOf = (name: string, quota?: Quota): ApiKey => ({
  name,
  sha256: createHash('sha256').update(`wb_${name}`).digest('hex'),
  may: [...PERMISSIONS],
  ...(quota && { quota }),
});

let service: RunningService;
let urls: string[];
let made = 0;
let names: string[];

const as = (name: string, url = service.url): Waybill => createWaybill({ url, apiKey: `wb_${name}` });
const queueOf = (name: string, at = 0, waybill = as(name)): QueueHandle => waybill.queue(names[at]!);

beforeAll(async () => {
  service = await startService({ apiKeys: [keyOf('mailer', { runningTasks: MOST }), keyOf('boss')] });
  urls = [service.url, await service.addUrl()];
});
afterAll(() => service.stop());

beforeEach(async () => {
  names = [`q-${++made}`, `q-${++made}`];
  for (const [at] of names.entries()) {
    await queueOf('boss', at).define();
    await queueOf('boss', at).enqueueMany(Array.from({ length: 10 }, () => ({})));
  }
});

const settleAll = async (tasks: readonly { taskId: string; token: string }[]): Promise<void> => {
  await as('boss').settle(
    tasks.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed', result: null } })),
  );
};

describe('a key with a quota of running tasks', () => {
  it('gets no more than that, in all queues, and hears why', async () => {
    const first = await queueOf('mailer').claim({ worker: 'w1', max: 2 });
    const second = await queueOf('mailer', 1).claim({ worker: 'w1', max: 5 });
    const third = await queueOf('mailer').claimResult({ worker: 'w2', max: 5 });
    expect([first.length, second.length, third.tasks.length]).toEqual([2, 1, 0]);
    expect(third.refusal).toMatchObject({ code: 'HOLDER_FULL', holder: 'mailer', most: MOST, running: MOST });
    const others = await queueOf('boss').claim({ worker: 'w3', max: 5 });
    expect(others).toHaveLength(5);
    await settleAll([...first, ...second, ...others]);
  });

  it('is answered 429 over HTTP, with the limit in the headers', async () => {
    const tasks = await queueOf('mailer').claim({ worker: 'w1', max: MOST });
    const answer = await fetch(`${service.url}/v1/queues/${names[0]}/claims`, {
      method: 'POST',
      headers: { authorization: 'Bearer wb_mailer', 'content-type': 'application/json' },
      body: JSON.stringify({ worker: 'w2', max: 5 }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([429, { code: 'HOLDER_FULL', most: MOST }]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'ratelimit-policy': `"running";q=${MOST}`,
      ratelimit: '"running";r=0',
      'retry-after': '1',
    });
    await settleAll(tasks);
  });

  it('gets more as soon as a task of its ends', async () => {
    const [ended, ...rest] = await queueOf('mailer').claim({ worker: 'w1', max: 10 });
    const waiting = queueOf('mailer').claim({ worker: 'w2', max: 10, waitMs: 30_000 });
    await settleAll([ended!]);
    const next = await waiting;
    expect(next).toHaveLength(1);
    await settleAll([...rest, ...next]);
  });

  it('never gets more from many claims at once, of several queues and processes', async () => {
    const claims = Array.from({ length: 24 }, (_, n) =>
      queueOf('mailer', n % 2, as('mailer', urls[n % urls.length])).claim({ worker: `w${n}`, max: 2 }),
    );
    const tasks = (await Promise.all(claims)).flat();
    expect(tasks).toHaveLength(MOST);
    await settleAll(tasks);
  });

  it('leaves the tasks to others whose claims are served with it', async () => {
    const full = await queueOf('mailer').claim({ worker: 'w1', max: 10 });
    const [none, all] = await Promise.all([
      queueOf('mailer').claimResult({ worker: 'w2', max: 4 }),
      queueOf('boss').claimResult({ worker: 'w3', max: 4 }),
    ]);
    expect([none.tasks.length, all.tasks.length]).toEqual([0, 4]);
    await settleAll([...full, ...all.tasks]);
  });

  it('starts no more tasks at once than that', async () => {
    const start = () =>
      fetch(`${service.url}/v1/tasks/start`, {
        method: 'POST',
        headers: { authorization: 'Bearer wb_mailer', 'content-type': 'application/json' },
        body: JSON.stringify({ queue: names[0], worker: 'w1' }),
      });
    const claimed = await queueOf('mailer').claim({ worker: 'w1', max: 2 });
    const [third, fourth] = [await start(), await start()];
    expect([third.status, fourth.status]).toEqual([200, 429]);
    expect(await fourth.json()).toMatchObject({ code: 'HOLDER_FULL', holder: 'mailer', most: MOST, running: MOST });
    const { task } = (await third.json()) as { task: { taskId: string; token: string } };
    await settleAll([...claimed, task]);
    expect(await queueOf('mailer').claim({ worker: 'w1', max: 10 })).toHaveLength(MOST);
  });
});
