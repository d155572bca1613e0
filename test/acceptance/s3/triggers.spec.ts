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

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Half an hour from now, so that no occurrence comes within a test. */
const MINUTE = (new Date().getUTCMinutes() + 30) % 60;
const EVERY_HOUR = { cron: `${MINUTE} * * * *`, timeZone: 'UTC' };

let service: RunningService;
const reports = (): QueueHandle => service.waybill.queue('reports');
const trigger = (): TriggerHandle => service.waybill.trigger('hourly-report');
beforeEach(async () => {
  service = await startService();
  await reports().define();
});
afterEach(() => service.stop());

const define = (changes: Partial<TriggerDefinition> = {}) =>
  trigger().define({ ...EVERY_HOUR, task: { queue: 'reports', kind: 'report', payload: { of: 'sales' } }, ...changes });

/** The newest occurrences, the oldest first. */
const lastHours = (count: number): string[] => {
  const since = MINUTE * MINUTE_MS;
  const newest = Math.floor((Date.now() - since) / HOUR_MS) * HOUR_MS + since;
  return Array.from({ length: count }, (_, n) => new Date(newest - (count - 1 - n) * HOUR_MS).toISOString());
};

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
    const hours = lastHours(3);
    await define({ missed: 'each' });
    await service.addInstance();
    await neglectSince(hours[0]!);
    await firedFor(hours[2]!);
    expect((await tasks()).map(({ dueAt, kind, state }) => [dueAt, kind, state])).toEqual(
      hours.map((hour) => [hour, 'report', 'pending']),
    );
    await service.restart();
    await neglectSince(hours[0]!);
    await until('the trigger to have looked again', async () =>
      (await trigger().get()).next[0]! > hours[2]! ? true : null,
    );
    expect(await tasks()).toHaveLength(3);
    const history = await service.waybill.task((await tasks())[0]!.id).history();
    expect(history.map(({ type, envelope }) => [type, envelope.actor])).toEqual([
      ['TaskEnqueued', 'trigger:hourly-report'],
    ]);
  });

  it.each([
    ['as it would be made', { of: 'sales' }],
    ['of an earlier definition', { of: 'stock' }],
  ])('S3-42 goes on after a crash that left its task, %s, without a record of the firing', async (_, payload) => {
    const [hour] = lastHours(1);
    const id = await derivedId('trigger hourly-report', hour!);
    await reports().enqueue(payload, { id, kind: 'report', dueAt: hour! });
    await define();
    await neglectSince(hour!);
    await firedFor(hour!);
    expect((await trigger().get()).last).toMatchObject({ task: id });
    expect((await tasks()).map((task) => task.id)).toEqual([id]);
  });

  it.each([
    ['latest', 1],
    ['skip', 0],
  ] as const)('S3-42 does with missed occurrences what it was told: %s', async (missed, count) => {
    await define({ missed });
    const hours = lastHours(3);
    await neglectSince(hours[0]!);
    await until('the trigger to wait for the next hour', async () =>
      (await trigger().get()).next[0]! > hours[2]! ? true : null,
    );
    expect((await tasks()).map(({ dueAt }) => dueAt)).toEqual(hours.slice(3 - count));
  });

  it('S3-42 tries again later, and says why, while its task is refused', async () => {
    const [hour] = lastHours(1);
    await define();
    await reports().closeIntake({ reason: 'the reports move' });
    await neglectSince(hour!);
    const { failure } = await until('the trigger to fail', async () => {
      const view = await trigger().get();
      return view.failure ? view : null;
    });
    expect(failure).toMatchObject({ failures: 1, problem: { code: 'INTAKE_CLOSED', reason: 'the reports move' } });
    expect(Date.parse(failure!.retryAt!)).toBeGreaterThan(Date.parse(hour!));
    await reports().openIntake();
    await neglectSince(hour!);
    await firedFor(hour!);
    expect(await trigger().get()).toMatchObject({ failure: null });
    expect(await tasks()).toHaveLength(1);
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

  it('keeps its state when it is defined alike, and is replaced otherwise', async () => {
    expect(await define()).toMatchObject({ recorded: true });
    expect(await define()).toMatchObject({ recorded: false });
    expect(await define({ description: 'sales' })).toMatchObject({ recorded: true });
    const { items } = await service.waybill
      .triggers()
      .next()
      .then(({ value }) => ({ items: [value] }));
    expect(items).toMatchObject([{ name: 'hourly-report', description: 'sales' }]);
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
