import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  derivedId,
  type QueueHandle,
  type TaskSummary,
  type TriggerDefinition,
  type TriggerHandle,
} from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Twelve days from now, so that no occurrence comes within a test. */
const TIME = new Date(Math.floor((Date.now() + DAY_MS / 2) / MINUTE_MS) * MINUTE_MS);
const EVERY_DAY = { cron: `${TIME.getUTCMinutes()} ${TIME.getUTCHours()} * * *`, timeZone: 'UTC' };

let service: RunningService;
const reports = (): QueueHandle => service.waybill.queue('reports');
const trigger = (): TriggerHandle => service.waybill.trigger('daily-report');
beforeEach(async () => {
  service = await startService();
  await reports().define();
});
afterEach(() => service.stop());

const define = (changes: Partial<TriggerDefinition> = {}) =>
  trigger().define({ ...EVERY_DAY, task: { queue: 'reports', kind: 'report', payload: { of: 'sales' } }, ...changes });

/** The newest occurrences, the oldest first. */
const lastDays = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => new Date(TIME.getTime() - (count - n) * DAY_MS).toISOString());

/** As if no process had looked at the trigger since this occurrence. */
async function neglectSince(occurrence: string): Promise<void> {
  await service.pool.query(
    'update triggers set next_at = $1, retry_at = case when retry_at is not null then $1::timestamptz end',
    [occurrence],
  );
  // Any event of a queue makes the sweeper look.
  await reports().pause();
  await reports().resume();
}

/** What the events of this type say. */
const eventsOf = async (...types: readonly string[]): Promise<unknown[]> => {
  const found: unknown[] = [];
  for await (const { type, data } of service.waybill.events({ category: 'trigger' }))
    if (types.includes(type)) found.push(data);
  return found;
};

const tasks = async (): Promise<TaskSummary[]> => {
  const { items } = await service.waybill.tasks.page({ queue: 'reports' });
  return items.sort((a, b) => a.scheduledFor.localeCompare(b.scheduledFor));
};

const firedFor = (occurrence: string) =>
  until(`the trigger to have fired for ${occurrence}`, async () =>
    (await trigger().get()).last?.occurrence === occurrence ? true : null,
  );

describe('a cron trigger', () => {
  it('S3-42 makes one task for each occurrence, whichever process looks, also after a restart of everything', async () => {
    const days = lastDays(3);
    await define({ missed: 'each' });
    await service.addInstance();
    await neglectSince(days[0]!);
    await firedFor(days[2]!);
    expect((await tasks()).map(({ dueAt, kind, state }) => [dueAt, kind, state])).toEqual(
      days.map((day) => [day, 'report', 'pending']),
    );
    await service.restart();
    await neglectSince(days[0]!);
    await until('the trigger to have looked again', async () =>
      (await trigger().get()).next[0]! > days[2]! ? true : null,
    );
    expect(await tasks()).toHaveLength(3);
    const history = await service.waybill.task((await tasks())[0]!.id).history();
    expect(history.map(({ type, envelope }) => [type, envelope.actor])).toEqual([
      ['TaskEnqueued', 'trigger:daily-report'],
    ]);
  });

  it.each([
    ['as it would be made', { of: 'sales' }],
    ['of an earlier definition', { of: 'stock' }],
  ])('S3-42 goes on after a crash that left its task, %s, without a record of the firing', async (_, payload) => {
    const [day] = lastDays(1);
    const id = await derivedId('trigger daily-report', day!);
    await reports().enqueue(payload, { id, kind: 'report', dueAt: day! });
    await define();
    await neglectSince(day!);
    await firedFor(day!);
    expect((await trigger().get()).last).toMatchObject({ task: id });
    expect((await tasks()).map((task) => task.id)).toEqual([id]);
  });

  it.each([
    ['latest', 1],
    ['skip', 0],
  ] as const)('S3-42 does with missed occurrences what it was told: %s', async (missed, count) => {
    await define({ missed });
    const days = lastDays(3);
    await neglectSince(days[0]!);
    await until('the trigger to wait for the next day', async () =>
      (await trigger().get()).next[0]! > days[2]! ? true : null,
    );
    expect((await tasks()).map(({ dueAt }) => dueAt)).toEqual(days.slice(3 - count));
  });

  it('S3-42 tries again later, and says why, while its task is refused', async () => {
    const [day] = lastDays(1);
    await define();
    await reports().closeIntake({ reason: 'the reports move' });
    await neglectSince(day!);
    const { failure } = await until('the trigger to fail', async () => {
      const view = await trigger().get();
      return view.failure ? view : null;
    });
    expect(failure).toMatchObject({ failures: 1, problem: { code: 'INTAKE_CLOSED', reason: 'the reports move' } });
    expect(Date.parse(failure!.retryAt!)).toBeGreaterThan(Date.parse(day!));
    await reports().openIntake();
    await neglectSince(day!);
    await firedFor(day!);
    expect(await trigger().get()).toMatchObject({ failure: null });
    expect(await tasks()).toHaveLength(1);
  });
});

describe('a definition that changes', () => {
  const OTHER_TIME = { cron: `${TIME.getUTCMinutes()} ${(TIME.getUTCHours() + 1) % 24} * * *` };
  /** Nothing fires until the service is resumed. */
  async function dueUnseen(day: string): Promise<void> {
    await define();
    await service.waybill.system.drain({ intake: 'closed', running: 'finish' });
    await neglectSince(day);
  }

  it.each([
    ['its task', { task: { queue: 'reports', payload: { of: 'stock' } } }, { of: 'stock' }],
    ['its description', { description: 'sales' }, { of: 'sales' }],
    ['its pattern', { ...OTHER_TIME, task: { queue: 'reports', payload: { of: 'stock' } } }, { of: 'stock' }],
  ])('keeps an occurrence that is due: %s', async (_, changes, payload) => {
    const [day] = lastDays(1);
    await dueUnseen(day!);
    expect(await define(changes)).not.toHaveProperty('dropped');
    expect((await trigger().get()).next[0]).toBe(day);
    await service.waybill.system.resume();
    await firedFor(day!);
    const [task, ...more] = await tasks();
    expect(more).toEqual([]);
    expect(await service.waybill.task(task!.id).get()).toMatchObject({ dueAt: day, payload });
    const { next, failure } = await trigger().get();
    expect(next[0]! > day!).toBe(true);
    expect(failure).toBeNull();
  });

  it.each([
    ['of which a person corrects the queue', { task: { queue: 'reports' } }],
    ['of which also the pattern changes', { ...OTHER_TIME, task: { queue: 'reports' } }],
  ])('keeps an occurrence that was refused, %s', async (_, corrected) => {
    const [day] = lastDays(1);
    await define({ task: { queue: 'raports' } });
    await neglectSince(day!);
    await until('the trigger to fail', async () => (await trigger().get()).failure);
    await define(corrected);
    await firedFor(day!);
    expect(await tasks()).toMatchObject([{ dueAt: day }]);
    expect((await trigger().get()).failure).toBeNull();
  });

  it('lets its own terms say which of the kept ones fire', async () => {
    const days = lastDays(3);
    await dueUnseen(days[0]!);
    await define({ ...OTHER_TIME, missed: 'each' });
    await define({ ...OTHER_TIME, missed: 'each', description: 'changed once more' });
    await service.waybill.system.resume();
    await firedFor(days[2]!);
    expect((await tasks()).map(({ dueAt }) => dueAt)).toEqual(days);
  });

  it.each([
    ['disables', (options: object) => trigger().disable(options), 'TriggerDisabled'],
    ['deletes', (options: object) => trigger().delete(options), 'TriggerDeleted'],
    [
      'makes it one of events',
      (options: object) =>
        trigger().define({ event: { types: ['QueueFinished'] }, task: { queue: 'reports' } }, options),
      'TriggerChanged',
    ],
  ] as const)('names what it drops, also to whoever repeats the request: a person %s it', async (_, change, type) => {
    const days = lastDays(3);
    await dueUnseen(days[0]!);
    const dropped = { count: 3, from: days[0], to: days[2] };
    const options = { idempotencyKey: 'k' };
    const answer = await change(options);
    expect(answer).toMatchObject({ recorded: true, dropped });
    expect(await change(options)).toEqual(answer);
    expect(await eventsOf(type)).toMatchObject([{ dropped }]);
    await service.waybill.system.resume();
  });
});

describe('what a trigger leaves out', () => {
  const left = async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(/^waybill_skipped_occurrences (\d+)$/m.exec(text)![1]);
  };

  it.each([
    ['each', 103, 3, 100],
    ['latest', 3, 2, 1],
    ['skip', 3, 3, 0],
  ] as const)('is counted, with its span: %s', async (missed, all, count, made) => {
    const days = lastDays(all);
    await define({ missed });
    expect((await trigger().get()).skipped).toBeNull();
    await neglectSince(days[0]!);
    const { skipped, last } = await until('the trigger to leave some out', async () => {
      const view = await trigger().get();
      return view.skipped ? view : null;
    });
    expect(skipped).toEqual({ count, from: days[0], to: days[count - 1], total: count });
    expect(last?.occurrence ?? null).toBe(made === 0 ? null : days[all - 1]);
    expect(await left()).toBe(count);
    expect((await service.waybill.system.get()).skippedOccurrences).toBe(count);
    expect(await eventsOf('TriggerFired', 'TriggerSkipped')).toMatchObject([{ skipped }]);
  });
});

describe('a trigger', () => {
  it('says when it fires next, in words too', async () => {
    await define({ cron: '30 2 * * 1-5', timeZone: 'Europe/Berlin' });
    const view = await trigger().get();
    expect(view).toMatchObject({
      state: 'enabled',
      words: 'At 02:30, Monday through Friday',
      last: null,
      failure: null,
    });
    expect(view.next).toHaveLength(5);
    expect(view.next).toEqual([...view.next].sort());
  });

  it('fires by hand, also while it is disabled, once for each id', async () => {
    await define();
    await trigger().disable({ reason: 'maintenance' });
    expect(await trigger().get()).toMatchObject({ state: 'disabled', next: [] });
    const { id } = await trigger().fire({ reason: 'a customer asked' });
    expect(await trigger().fire({ id })).toMatchObject({ id, status: 'existing' });
    expect(await trigger().get()).toMatchObject({ state: 'disabled', last: { task: id } });
    expect(await tasks()).toHaveLength(1);
    await trigger().enable();
    expect((await trigger().get()).next).toHaveLength(5);
  });

  it('records a firing by hand once for each id, also if it has fired again since', async () => {
    await define();
    const { id } = await trigger().fire();
    const { id: other } = await trigger().fire();
    expect(await trigger().fire({ id })).toMatchObject({ id, status: 'existing' });
    expect(await eventsOf('TriggerFired')).toMatchObject([{ firings: [{ task: id }] }, { firings: [{ task: other }] }]);
    expect(await trigger().get()).toMatchObject({ last: { task: other } });
  });

  it('keeps its state when it is defined alike, and is replaced otherwise', async () => {
    expect(await define()).toMatchObject({ recorded: true });
    expect(await define()).toMatchObject({ recorded: false });
    expect(await define({ description: 'sales' })).toMatchObject({ recorded: true });
    const { items } = await service.waybill
      .triggers()
      .next()
      .then(({ value }) => ({ items: [value] }));
    expect(items).toMatchObject([{ name: 'daily-report', description: 'sales' }]);
  });

  it('is gone after its deletion, and its name is free', async () => {
    await define();
    await trigger().delete();
    await expect(trigger().get()).rejects.toMatchObject({ code: 'TRIGGER_NOT_FOUND' });
    await expect(trigger().fire()).rejects.toMatchObject({ code: 'TRIGGER_NOT_FOUND' });
    await define();
    expect(await trigger().get()).toMatchObject({ state: 'enabled' });
  });

  it.each([{ cron: '0 0 30 2 *' }, { timeZone: 'Mars/Olympus' }, { cron: '* * * * * *' }])(
    'is refused with a pattern that never occurs: %p',
    async (changes) => {
      await expect(define(changes)).rejects.toMatchObject({ code: 'CRON_INVALID', status: 422 });
    },
  );
});
