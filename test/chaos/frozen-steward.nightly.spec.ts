import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Waybill } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { violationsOf } from '../support/history-checker.js';
import type { WebhookSink } from '../support/sinks/webhook-sink.js';
import { withStatus } from '../support/sinks/webhook-sink.js';
import { loseWorkers } from '../support/leases.js';
import { until } from '../support/until.js';
import { type Crash, lastWords } from './crash-points.js';
import { Run } from './run.js';
import { freePort } from './ports.js';
import { type ServiceProcess } from './service-process.js';

const QUEUE = 'parcels';
const TASKS = 30;
const [BY_OPERATION, AFTERWARDS] = [5, 1];

/** SIGSTOP of a steward in the middle of its work, for longer than its lease. */
describe('a steward that stands still', () => {
  let run: Run;
  let waybill: Waybill;
  let hooks: WebhookSink;
  beforeAll(async () => {
    run = await Run.open();
    await run.service({ env: { WAYBILL_ROLES: 'api,projector,reactor,sweeper,relay' } }).ready();
    waybill = run.client();
    hooks = await run.webhooks();
  });
  afterAll(() => run.close());

  const steward = async (crash?: Crash): Promise<ServiceProcess> =>
    run.service({ port: await freePort(), env: { WAYBILL_ROLES: 'steward' }, ...(crash && { crash }) });

  const deliver = async (): Promise<string> => {
    const webhook = { url: hooks.url, secret: 'run', type: 'com.example.counted', data: { items: 7 } };
    return (await waybill.deliver({ webhook })).id;
  };

  const succeeded = (id: string) =>
    until(`task '${id}' to succeed`, async () => {
      const { state, result } = await waybill.task(id).get();
      return state === 'succeeded' ? { result } : null;
    });

  const typesOf = async (id: string): Promise<readonly string[]> =>
    (await waybill.task(id).history()).map(({ type }) => type);

  /** Continues it and lets it do something new, which shows that it is back, and end what it was in the middle of. */
  async function goesOnAndEnds(frozen: ServiceProcess): Promise<void> {
    frozen.signal('SIGCONT');
    await succeeded(await deliver());
    await end(frozen);
  }

  async function end(service: ServiceProcess): Promise<void> {
    service.signal('SIGTERM');
    expect([await service.ended, service.errors]).toEqual([{ code: 0, signal: null }, '']);
  }

  const LATE = 'TaskLateReportRefused';
  const ONCE_LOST = ['TaskEnqueued', 'TaskClaimed', 'TaskLeaseExpired', 'TaskClaimed', 'TaskSucceeded', LATE];

  it('within a delivery is replaced, each attempt calls once with the same message, and its late report changes nothing', async () => {
    const frozen = await steward();
    const first = new Promise<() => void>((called) => {
      hooks.answer = (response) => called(() => withStatus(204)(response));
    });
    const id = await deliver();
    const answerFirst = await first;
    frozen.signal('SIGSTOP');
    hooks.answer = withStatus(202);
    answerFirst();
    await loseWorkers(run.pool, 'waybill.deliveries');
    const other = await steward();
    expect(await succeeded(id)).toEqual({ result: { status: 202 } });
    await end(other);

    await goesOnAndEnds(frozen);
    expect(await typesOf(id)).toEqual(ONCE_LOST);
    expect((await waybill.task(id).get()).result).toEqual({ status: 202 });
    const [one, two, ...more] = hooks.received.filter(({ headers }) => headers['webhook-id'] === id);
    expect(more).toEqual([]);
    expect(two!.body).toBe(one!.body);
    await run.settled();
    expect(violationsOf(await run.history())).toEqual([]);
  });

  it('within a bulk operation is replaced, and gives no task the command a second time when it goes on', async () => {
    await waybill.queue(QUEUE).define();
    await waybill.queue(QUEUE).pause();
    const ids = Array.from({ length: TASKS }, () => uuidv7());
    await waybill.queue(QUEUE).enqueueMany(ids.map((id) => ({ id })));
    const crash: Crash = { point: 'within-operation', passage: 1, signal: 'SIGSTOP' };
    const frozen = await steward(crash);
    const { id } = await waybill.operate('prioritise', { filter: { queue: QUEUE } }, { priority: BY_OPERATION });
    await frozen.told(new RegExp(lastWords(crash)));
    await loseWorkers(run.pool, 'waybill.operations');
    const other = await steward();
    expect(await succeeded(id!)).toMatchObject({ result: { asked: TASKS, done: TASKS } });
    await end(other);
    for (const task of ids) await waybill.task(task).prioritise(AFTERWARDS);

    await goesOnAndEnds(frozen);
    expect(await typesOf(id!)).toEqual(ONCE_LOST);
    const { items } = await waybill.tasks.page({ queue: QUEUE });
    expect(items.map(({ priority }) => priority)).toEqual(ids.map(() => AFTERWARDS));
    for (const task of ids) await waybill.task(task).abort();
    await run.settled();
    expect(violationsOf(await run.history())).toEqual([]);
  });
});
