import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TaskChange, Waybill } from '@waybill/client';
import { loseWorkers } from '../support/leases.js';
import type { WebhookSink } from '../support/sinks/webhook-sink.js';
import { until } from '../support/until.js';
import { type Crash, type CrashPoint, lastWords } from './crash-points.js';
import { Run } from './run.js';
import { freePort } from './ports.js';

const QUEUE = 'items';
const DAY_MS = 86_400_000;
/** Half a day from now, so that no occurrence comes within a test. */
const TIME = new Date(Date.now() + DAY_MS / 2);
const EVERY_DAY = { cron: `${TIME.getUTCMinutes()} ${TIME.getUTCHours()} * * *`, timeZone: 'UTC' };

const at = (point: CrashPoint): Crash => ({ point, passage: 1 });

/** Where a sweeper dies that orders a delivery: before its task is stored, before the firing is recorded, and after that. */
const SWEEPER: readonly CrashPoint[] = ['before-append', 'after-enqueue', 'after-firing'];

/** Where a steward dies that sends it. */
const STEWARD: readonly CrashPoint[] = ['before-delivery', 'after-delivery', 'after-settle'];

interface Told {
  readonly id: string;
  readonly data: { readonly since: string; readonly until: string; readonly changes: readonly TaskChange[] };
}

describe('kill -9 of whoever tells what has changed', () => {
  let run: Run;
  let waybill: Waybill;
  let hooks: WebhookSink;
  beforeAll(async () => {
    run = await Run.open();
    hooks = await run.webhooks();
    await run.service({ env: { WAYBILL_ROLES: 'api,projector,reactor,relay' } }).ready();
    waybill = run.client();
    await waybill.queue(QUEUE).define({});
    // The first delivery defines the queue of all.
    const first = { url: hooks.url, secret: 'run', type: 'com.example.first', data: 1 };
    const { id } = await waybill.deliver({ webhook: first });
    await waybill.task(id).cancel();
  });
  afterAll(() => run.close());

  const service = async (roles: string, point?: CrashPoint) =>
    run.service({ port: await freePort(), env: { WAYBILL_ROLES: roles }, ...(point && { crash: at(point) }) });

  async function killed(roles: string, point: CrashPoint): Promise<void> {
    const one = await service(roles, point);
    expect([await one.ended, one.errors]).toEqual([{ code: null, signal: 'SIGKILL' }, '']);
    expect(one.lines).toContain(lastWords(at(point)));
    if (roles === 'sweeper') await endTerm();
    // The dead steward has its place at the receiver until it must have ended.
    await run.pool.query('delete from delivery_targets');
    await loseWorkers(run.pool, 'waybill.deliveries');
  }

  /** Two tasks are new, and the oldest that waits is done. */
  async function change(): Promise<void> {
    for (const n of [1, 2]) await waybill.queue(QUEUE).enqueue(n);
    const [task] = await waybill.queue(QUEUE).claim({ worker: 'w1', max: 1 });
    await waybill.settle([{ taskId: task!.taskId, token: task!.token, verdict: { type: 'succeed' } }]);
  }

  const nextAt = async (): Promise<string> => (await waybill.trigger('morning').get()).next[0]!;

  /** As if the occurrence of yesterday had not fired. */
  async function neglect(): Promise<void> {
    const [yesterday] = [new Date(Date.parse(await nextAt()) - DAY_MS).toISOString()];
    await run.pool.query('update triggers set next_at = $1', [yesterday]);
  }

  /** The next process sweeps without waiting for the term of a dead one. */
  const endTerm = () => run.pool.query(`update leaders set deadline = now() where role = 'sweeper'`);

  async function swept(work: () => Promise<unknown>): Promise<void> {
    const sweeper = await service('sweeper');
    await work();
    await sweeper.kill();
    await endTerm();
  }

  const fires = () =>
    swept(() =>
      until('the trigger to have fired', async () => ((await nextAt()) > new Date().toISOString() ? true : null)),
    );

  async function recorded(): Promise<readonly { readonly task: string; readonly upTo: string }[]> {
    const found: { task: string; upTo: string }[] = [];
    for await (const { data } of waybill.events({ category: 'trigger', name: 'morning', type: 'TriggerFired' }))
      found.push(...(data as { firings: { task: string; upTo: string }[] }).firings);
    return found.reverse().sort((one, other) => Number(BigInt(one.upTo) - BigInt(other.upTo)));
  }

  const listed = async (options: { readonly since: string; readonly until: string }) => {
    const all: TaskChange[] = [];
    for await (const one of waybill.changes({ ...options, queue: QUEUE })) all.push(one);
    return all;
  };

  it('H-17 tells each change once', async () => {
    const to = { webhook: { url: hooks.url, secret: 'run' } };
    await waybill.trigger('morning').define({ ...EVERY_DAY, changes: { queue: QUEUE, to } });
    await change();
    await neglect();
    await fires();
    await swept(async () => {
      for (const point of STEWARD) await killed('steward', point);
    });
    for (const point of SWEEPER) {
      await change();
      await neglect();
      await killed('sweeper', point);
      await change();
      await fires();
    }
    expect(await recorded()).toHaveLength(1 + SWEEPER.length);
    const steward = await service('steward');
    const last = (await recorded()).at(-1)!;
    await until('the deliveries to be sent', async () =>
      (await Promise.all((await recorded()).map(({ task }) => waybill.task(task).get()))).every(
        ({ state }) => state === 'succeeded',
      )
        ? true
        : null,
    );
    await steward.kill();

    const calls = hooks.received;
    const told = new Map<string, Told>();
    for (const { headers, body } of calls) {
      const one = JSON.parse(body) as Told;
      expect(told.get(headers['webhook-id'] as string) ?? one).toEqual(one);
      told.set(headers['webhook-id'] as string, one);
    }
    expect(calls.length).toBeGreaterThan(told.size);
    const inOrder = (await recorded()).map(({ task }) => told.get(task)!.data);
    expect(told.size).toBe(inOrder.length);
    expect(inOrder.slice(1).map(({ since }) => since)).toEqual(inOrder.slice(0, -1).map(({ until: end }) => end));
    expect(inOrder.at(-1)!.until).toBe(last.upTo);
    for (const { since, until: end, changes } of inOrder) expect(changes).toEqual(await listed({ since, until: end }));
    const whole = await listed({ since: inOrder[0]!.since, until: last.upTo });
    const ends = new Map(inOrder.flatMap(({ changes }) => changes.map((one) => [one.task, one.to] as const)));
    expect([...ends].sort()).toEqual(whole.map((one) => [one.task, one.to] as const).sort());
    // What changed after the last firing, which was recorded before its process died, waits for the next one.
    expect(whole.filter(({ to: { state } }) => state === 'succeeded')).toHaveLength(2 * SWEEPER.length);
  }, 300_000);
});
