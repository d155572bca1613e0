import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventView, TaskDetails } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await service.waybill.queue('items').define({});
});
afterAll(() => service.stop());

let number = 0;
/** A queue for the tasks of a trigger, which has its name. */
async function listener(): Promise<string> {
  const name = `listener-${++number}`;
  await service.waybill.queue(name).define({});
  return name;
}

async function succeed(count: number): Promise<void> {
  const queue = service.waybill.queue('items');
  for (let n = 0; n < count; n++) await queue.enqueue(n);
  const claimed = await queue.claim({ worker: 'w1', max: count });
  await service.waybill.settle(
    claimed.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed' as const } })),
  );
}

async function events(filter: object): Promise<readonly EventView[]> {
  const all: EventView[] = [];
  for await (const event of service.waybill.events(filter)) all.push(event);
  return all;
}

const successes = async () => (await events({ queue: 'items', type: 'TaskSucceeded' })).map(({ id }) => id);

interface Told {
  readonly event: { readonly id: string; readonly replay?: string };
}

async function toldIn(queue: string): Promise<readonly (TaskDetails & { readonly payload: Told })[]> {
  const all: TaskDetails[] = [];
  for await (const { id } of service.waybill.tasks.list({ queue })) all.push(await service.waybill.task(id).get());
  return all as never;
}

const idsTold = async (queue: string) => (await toldIn(queue)).map(({ payload }) => payload.event.id).sort();

async function tells(queue: string, ids: readonly string[]): Promise<void> {
  await until(`${queue} to have ${ids.length} tasks`, async () => {
    const { counts } = await service.waybill.queue(queue).stats();
    return (counts.pending ?? 0) >= ids.length ? true : null;
  });
  expect(await idsTold(queue)).toEqual([...ids].sort());
}

const define = (name: string, from?: string) =>
  service.waybill.trigger(name).define({
    event: { types: ['TaskSucceeded'], queue: 'items', ...(from !== undefined && { from }) },
    task: { queue: name },
  });

const ended = (id: string) =>
  until('the past events to be dealt with', async () => {
    const { state } = await service.waybill.task(id).get();
    return state === 'succeeded' ? true : null;
  });

/** The tasks that go through past events, of one trigger. */
async function pastOf(trigger: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of service.waybill.tasks.list({ queue: 'waybill.past-events' }))
    if (((await service.waybill.task(id).get()).payload as { trigger: string }).trigger === trigger) ids.push(id);
  return ids;
}

describe('a trigger that begins in the past', () => {
  it('H-20 fires once for each past event, and goes on with new ones', async () => {
    await succeed(3);
    const name = await listener();
    const { recorded } = await define(name, 'beginning');
    expect(recorded).toBe(true);
    await succeed(2);
    await tells(name, await successes());
    const [past] = await until('its past to be ordered', async () => {
      const found = await pastOf(name);
      return found.length > 0 ? found : null;
    });
    await ended(past!);
    await succeed(1);
    await tells(name, await successes());
    expect((await service.waybill.trigger(name).get()).event!.from).toBe('0');
    const firings = (await events({ category: 'trigger', name, type: 'TriggerFired' })).flatMap(
      ({ data }) => (data as { firings: { task: string }[] }).firings,
    );
    expect(firings.map(({ task }) => task).sort()).toEqual((await toldIn(name)).map(({ id }) => id).sort());
  });

  it('begins after a position, or at a time, which is kept as a position', async () => {
    await succeed(2);
    const { position } = (await events({ queue: 'items', type: 'TaskSucceeded' })).at(-2)!;
    const [byPosition, byTime] = [await listener(), await listener()];
    await define(byPosition, position);
    await tells(byPosition, (await successes()).slice(-1));
    const { recordedAt } = (await events({ queue: 'items' })).at(0)!;
    await define(byTime, recordedAt);
    await tells(byTime, await successes());
    expect((await define(byTime, recordedAt)).recorded).toBe(false);
  });

  it('does nothing of the past twice when it is defined anew', async () => {
    const name = await listener();
    await define(name, 'beginning');
    await tells(name, await successes());
    await service.waybill.trigger(name).define({
      event: { types: ['TaskSucceeded'], queue: 'items', from: 'beginning' },
      task: { queue: name, kind: 'other' },
    });
    const both = await until('both to be ordered', async () => {
      const found = await pastOf(name);
      return found.length === 2 ? found : null;
    });
    for (const past of both) await ended(past);
    await tells(name, await successes());
  });

  it.each(['yesterday', '999999999999', new Date(Date.now() + 3_600_000).toISOString(), '1h'])(
    'refuses to begin at %s',
    async (from) => {
      const { code } = await refusalOf(define(await listener(), from));
      expect(code).toBe('INVALID_INPUT');
    },
  );
});

describe('a replay', () => {
  it('H-21 sends a range again with new ids and the same event ids, marked as replay', async () => {
    const name = await listener();
    await define(name, 'beginning');
    const before = await successes();
    await tells(name, before);
    const [first, ...rest] = await toldIn(name);
    expect(first!.payload.event.replay).toBeUndefined();
    const found = await events({ queue: 'items', type: 'TaskSucceeded' });
    const range = { from: found[0]!.position, to: found[2]!.position };
    expect(await service.waybill.trigger(name).replay({ ...range, preview: true })).toMatchObject({
      count: 2,
      id: null,
    });
    const replay = await service.as('ann').trigger(name).replay(range, { reason: 'the receiver was down' });
    expect(replay).toMatchObject({ count: 2, after: range.from, upTo: range.to });
    await ended(replay.id!);
    const old = new Set([first!, ...rest].map(({ id }) => id));
    const again = (await toldIn(name)).filter(({ id }) => !old.has(id));
    expect(again.map(({ payload }) => payload.event.id).sort()).toEqual([found[1]!.id, found[2]!.id].sort());
    for (const { payload } of again) expect(payload.event.replay).toBe(replay.id);
    const order = await service.waybill.task(replay.id!).get();
    expect(order.payload).toMatchObject({ by: 'ann', reason: 'the receiver was down', trigger: name });
    expect(order.result).toEqual({ events: 2 });
    const firings = await events({ category: 'trigger', name, type: 'TriggerFired' });
    const tasks = firings.flatMap(({ data }) => (data as { firings: { task: string }[] }).firings);
    expect(tasks.filter(({ task }) => !old.has(task))).toEqual([]);
  });

  it('is done once under one key, and refuses what is no range or no trigger of events', async () => {
    const name = await listener();
    await define(name);
    const trigger = service.waybill.trigger(name);
    const key = { idempotencyKey: `replay-${name}` };
    const one = await trigger.replay({ from: 'beginning' }, key);
    expect((await trigger.replay({ from: 'beginning' }, key)).id).toBe(one.id);
    await ended(one.id!);
    await tells(name, await successes());
    const { position } = (await events({ queue: 'items' })).at(-1)!;
    const codes = [
      trigger.replay({ from: position, to: 'beginning' }),
      trigger.replay({ from: '999999999999' }),
      trigger.replay({ from: 'beginning', to: '999999999999' }),
      trigger.replay({ from: 'soon' }),
    ].map(async (call) => (await refusalOf(call)).code);
    expect(await Promise.all(codes)).toEqual(Array(4).fill('INVALID_INPUT'));
    expect((await refusalOf(service.waybill.trigger('none').replay({ from: 'beginning' }))).code).toBe(
      'TRIGGER_NOT_FOUND',
    );
    await service.waybill.trigger('monthly').define({ cron: '0 0 1 1 *', timeZone: 'UTC', task: { queue: name } });
    expect((await refusalOf(service.waybill.trigger('monthly').replay({ from: 'beginning' }))).code).toBe(
      'INVALID_INPUT',
    );
  });
});
