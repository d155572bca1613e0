import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Waybill } from '@waybill/client';
import { violationsOf } from '../support/history-checker.js';
import { loseWorkers } from '../support/leases.js';
import { until } from '../support/until.js';
import { type Crash, type CrashPoint, lastWords } from './crash-points.js';
import { Run } from './run.js';
import { freePort } from './ports.js';

const PAST = 7;
const BEFORE = 'waybill.past-events';

const at = (point: CrashPoint): Crash => ({ point, passage: 1 });

/** Where a steward dies that goes through past events: its tasks are made, recorded, kept as done, and the end is told. */
const STEWARD: readonly CrashPoint[] = ['after-enqueue', 'after-firing', 'within-operation', 'after-settle'];

/** Where a reactor dies that orders it. */
const REACTOR: readonly CrashPoint[] = ['after-enqueue', 'before-checkpoint', 'after-checkpoint'];

describe('kill -9 of whoever tells a trigger of past events', () => {
  let run: Run;
  let waybill: Waybill;
  beforeAll(async () => {
    run = await Run.open();
    await run.service({ env: { WAYBILL_ROLES: 'api,projector,sweeper,relay' } }).ready();
    waybill = run.client();
    for (const queue of ['items', 'told']) await waybill.queue(queue).define({});
    for (let n = 0; n < PAST; n++) await waybill.queue('items').enqueue(n);
    await abort(PAST);
    // The follower has passed them before the trigger is there, so they are past.
    const reactor = await service('reactor');
    await until('the follower to have passed them', async () => ((await lag()) === 0 ? true : null));
    await reactor.kill();
  });
  afterAll(() => run.close());

  /** How many positions the follower of event triggers is behind. */
  async function lag(): Promise<number | null> {
    const { rows } = await run.pool.query<{ lag: string }>(
      `select (select max(position + n - 1) from segments) - position as lag from projection_checkpoints
       where name = 'event-triggers' and slot = 'live'`,
    );
    return rows[0] ? Number(rows[0].lag) : null;
  }

  /** So many events of the type that the trigger waits for. */
  async function abort(count: number): Promise<void> {
    const ids: string[] = [];
    for await (const { id } of waybill.tasks.list({ queue: 'items', state: 'pending' })) ids.push(id);
    for (const id of ids.slice(0, count)) await waybill.task(id).abort();
  }

  const service = async (roles: string, point?: CrashPoint) =>
    run.service({ port: await freePort(), env: { WAYBILL_ROLES: roles }, ...(point && { crash: at(point) }) });

  async function killed(roles: string, point: CrashPoint): Promise<void> {
    const one = await service(roles, point);
    expect([await one.ended, one.errors]).toEqual([{ code: null, signal: 'SIGKILL' }, '']);
    expect(one.lines).toContain(lastWords(at(point)));
    await loseWorkers(run.pool, BEFORE);
  }

  async function told(): Promise<readonly string[]> {
    const events: string[] = [];
    for await (const { id } of waybill.tasks.list({ queue: 'told' }))
      events.push(((await waybill.task(id).get()).payload as { event: { id: string } }).event.id);
    return events.sort();
  }

  async function aborted(): Promise<readonly string[]> {
    const ids: string[] = [];
    for await (const { id } of waybill.events({ queue: 'items', type: 'TaskAborted' })) ids.push(id);
    return ids.sort();
  }

  const past = async (kind: string) => {
    for await (const { id, state } of waybill.tasks.list({ queue: BEFORE, kind })) return { id, state };
    return null;
  };

  const succeeds = (kind: string) =>
    until(`'${kind}' to succeed`, async () => ((await past(kind))?.state === 'succeeded' ? true : null));

  it('H-20 loses and doubles no event, and H-21 sends none twice in one replay', async () => {
    await waybill.trigger('late').define({
      event: { types: ['TaskAborted'], queue: 'items', from: 'beginning' },
      task: { queue: 'told' },
    });
    for (const point of REACTOR) await killed('reactor', point);
    await service('reactor');
    await until('the past to be ordered', () => past('begin'));
    for (const point of STEWARD) await killed('steward', point);
    await waybill.queue('items').enqueue('new');
    await abort(1);
    const steward = await service('steward');
    await succeeds('begin');
    await until('every event to be told', async () => ((await told()).length >= PAST + 1 ? true : null));
    expect(await told()).toEqual(await aborted());
    const recorded: string[] = [];
    for await (const { data } of waybill.events({ category: 'trigger', name: 'late', type: 'TriggerFired' }))
      recorded.push(...(data as { firings: { task: string }[] }).firings.map(({ task }) => task));
    expect([recorded.length, new Set(recorded).size]).toEqual([PAST + 1, PAST + 1]);
    await steward.kill();

    await waybill.trigger('late').replay({ from: 'beginning' });
    for (const point of STEWARD.filter((one) => one !== 'after-firing')) await killed('steward', point);
    await service('steward');
    await succeeds('replay');
    const events = await aborted();
    expect(await told()).toEqual([...events, ...events].sort());

    const claimed = await waybill.queue('told').claim({ worker: 'w', max: 50 });
    await waybill.settle(claimed.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed' } })));
    await run.settled();
    expect(violationsOf(await run.history())).toEqual([]);
  });
});
