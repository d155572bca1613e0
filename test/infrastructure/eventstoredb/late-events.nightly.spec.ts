import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, SettleVerdict } from '@waybill/client';
import { taskIdOf } from '../../../src/domain/task/task.stream.js';
import { EventStoreDbFixture } from '../../support/eventstoredb/fixture.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

const PATIENCE_MS = 180_000;
const ON_ENQUEUE = { event: { types: ['TaskEnqueued' as const], queue: 'in' }, task: { queue: 'out' } };

describe('an event that the log did not deliver, and the index has found', () => {
  let server: EventStoreDbFixture;
  let service: RunningService;

  beforeEach(async () => {
    server = await EventStoreDbFixture.start();
    service = await startService({ eventStoreUrl: server.url });
    await service.waybill.queue('in').define({ clearFailuresOnSuccess: true });
    await service.waybill.queue('out').define();
    const begun = async () => ((await rows('select 1 from log_comparisons')).length > 0 ? true : null);
    await until('the comparison to have begun', begun, PATIENCE_MS);
  }, PATIENCE_MS);
  afterEach(async () => {
    await service.stop();
    await server.stop();
  }, PATIENCE_MS);

  const skip = (wanted: string): void => server.faults.skipEvent(({ type }) => type === wanted);
  const enqueue = (payload: string) => service.waybill.queue('in').enqueue(payload);
  async function settle(verdict: SettleVerdict): Promise<void> {
    const [{ taskId, token }] = (await service.waybill.queue('in').claim({ worker: 'w' })) as [ClaimedTask];
    await service.waybill.settle([{ taskId, token, verdict }]);
  }
  const rows = async (text: string): Promise<readonly object[]> => (await service.pool.query(text)).rows;

  /** The index has passed it and then found it, and whoever gives commands has looked at it. */
  async function found(): Promise<void> {
    const look = async () => {
      await rows(`update reservations set deadline = now() - interval '1 second'`);
      const [gaps] = (await rows(`select gaps::int from log_gaps where kind = 'skipped'`)) as { gaps: number }[];
      const left = await rows('select 1 from events_skipped union all select 1 from events_put_aside');
      return gaps?.gaps === 1 && left.length === 0 ? true : null;
    };
    await until('the gap to be found and dealt with', look, PATIENCE_MS);
  }

  /** The payloads of the events that the trigger made tasks of, in the order of these. */
  async function toldOf(): Promise<string[]> {
    const { items } = await service.waybill.tasks.page({ queue: 'out' });
    const told = items.map(async ({ id }) => {
      const { payload } = await service.waybill.task(id).get();
      const { subject } = (payload as { event: { subject: string } }).event;
      return String((await service.waybill.task(taskIdOf(subject)).get()).payload);
    });
    return (await Promise.all(told)).sort();
  }

  it(
    'fires a trigger once, though later ones have fired it before',
    async () => {
      await service.waybill.trigger('t').define(ON_ENQUEUE);
      await enqueue('a');
      skip('TaskEnqueued');
      await enqueue('b');
      const { position } = await enqueue('c');
      await service.caughtUp('event-triggers', position);
      await found();
      expect(await toldOf()).toEqual(['a', 'b', 'c']);
      const fired = await rows(`select up_to::int, failures from triggers where name = 't'`);
      expect(fired).toEqual([{ up_to: expect.any(Number), failures: 0 }]);
      const { position: last } = await enqueue('d');
      await service.caughtUp('event-triggers', last);
      expect(await toldOf()).toEqual(['a', 'b', 'c', 'd']);
    },
    PATIENCE_MS,
  );

  it(
    'fires no trigger that was defined, or disabled, since',
    async () => {
      await service.waybill.trigger('t').define(ON_ENQUEUE);
      skip('TaskEnqueued');
      await enqueue('a');
      await service.waybill.trigger('t').disable({ reason: 'not now' });
      await service.waybill.trigger('t').enable();
      await service.waybill.trigger('later').define(ON_ENQUEUE);
      await found();
      expect(await toldOf()).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    'is that of a trigger: it fires for what came since',
    async () => {
      await enqueue('a');
      skip('TriggerDefined');
      await service.waybill.trigger('t').define(ON_ENQUEUE);
      const { position } = await enqueue('b');
      await service.caughtUp('event-triggers', position);
      await found();
      await enqueue('c');
      await until('both tasks', async () => ((await toldOf()).length > 1 ? true : null), PATIENCE_MS);
      expect(await toldOf()).toEqual(['b', 'c']);
    },
    PATIENCE_MS,
  );

  it(
    'is reacted to',
    async () => {
      const failed = await service.waybill.queue('in').enqueue('a', { key: 'k' });
      await settle({ type: 'fail', error: { message: 'no', class: 'business' } });
      await service.waybill.queue('in').enqueue('b', { key: 'k' });
      skip('TaskSucceeded');
      await settle({ type: 'succeed' });
      await service.waybill.queue('other').define();
      await found();
      const state = async () => (await service.waybill.task(failed.id).get()).state;
      await until('the failure to be superseded', async () => ((await state()) === 'superseded' ? true : null));
    },
    PATIENCE_MS,
  );
});
