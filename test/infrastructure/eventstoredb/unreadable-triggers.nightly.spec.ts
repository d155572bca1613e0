import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { binaryEvent, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { holdStream } from '../../../src/domain/hold/hold.stream.js';
import { queueStream } from '../../../src/domain/queue/queue.stream.js';
import { consumerStream } from '../../../src/domain/queue-consumer/consumer.stream.js';
import { triggerStream } from '../../../src/domain/trigger/trigger.stream.js';
import { BUILD } from '../../../src/bootstrap/functions.js';
import { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { PostgresTriggerStates } from '../../../src/infrastructure/dispatch-index/postgres-trigger-states.js';
import { EventCodec } from '../../../src/infrastructure/event-codec/event-codec.js';
import { EventStoreDbFixture } from '../../support/eventstoredb/fixture.js';
import { isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

/** A type that only a later build knows. There it means what `TriggerChanged` means here. */
const LATER = 'TriggerMoved';

/** A time to Node, and none to Postgres. */
const NO_TIME = '+275760-09-13T00:00:00.000Z';

const waitingFor = (queue: string) => ({ event: { types: ['TaskEnqueued' as const], queue: 'in' }, task: { queue } });
const AS_LATER = { trigger: 'sick', definition: { ...waitingFor('moved'), description: '' }, next: null };

describe('an event of a trigger that the index in EventStoreDB mode cannot apply', () => {
  let server: EventStoreDbFixture;
  let client: EventStoreDBClient;
  let service: RunningService;

  beforeEach(async () => {
    server = await EventStoreDbFixture.start();
    client = EventStoreDBClient.connectionString(server.url.replace('kurrentdb:', 'esdb:'));
    service = await startService({ eventStoreUrl: server.url });
    for (const name of ['in', 'sick', 'well', 'moved', 'items', 'jobs']) await service.waybill.queue(name).define();
    for (const name of ['sick', 'well']) await service.waybill.trigger(name).define(waitingFor(name));
    for (const name of ['timed', 'sick-timed'])
      await service.waybill.trigger(name).define({ queue: 'items', every: 1, batchSize: 1, task: { queue: 'jobs' } });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await service.stop();
    await client.dispose();
    await server.stop();
  });

  /** As a later build, or another program, stores it. */
  async function store(stream: string, event: ReturnType<typeof jsonEvent | typeof binaryEvent>): Promise<void> {
    const prefix = isElsewhere ? `${new URL(service.databaseUrl).pathname.slice(1)}.` : '';
    await client.appendToStream(prefix + stream, event as never);
  }

  const ofVersion = (version: number, type: string, data: object) =>
    jsonEvent({ type, data: data as never, metadata: { version, actor: 'later', $correlationId: 'test' } });

  const indexed = () => service.waybill.queue('in').enqueue(1);
  const madeIn = async (queue: string) => (await service.waybill.tasks.page({ queue })).items.length;
  const made = (queue: string, count: number) =>
    until(`${count} tasks in '${queue}'`, async () => ((await madeIn(queue)) >= count ? true : null));
  /** What waits for the trigger was tried once more, in vain. */
  const triedAgain = () =>
    until('a further try', async () => {
      await service.pool.query('update events_put_aside set retry_at = now() where retry_at is not null');
      const { rowCount } = await service.pool.query(
        `select from events_put_aside where follower = 'event-triggers' and line = 'sick' and tries > 1`,
      );
      return rowCount || null;
    });
  const lost = async () =>
    (await service.waybill.system.get()).firstEventsPutAside.filter(({ reaction }) => reaction === 'dispatch-index');

  it.each([
    ['of a version that only a later build knows', () => ofVersion(99, 'TriggerChanged', AS_LATER), 'version 99'],
    ['of a type that only a later build knows', () => ofVersion(1, LATER, AS_LATER), LATER],
    ['whose JSON is damaged', () => binaryEvent({ type: 'TriggerChanged', data: Buffer.from('{"broken') }), ''],
    ['whose data are of something else', () => ofVersion(1, 'TriggerChanged', { ...AS_LATER, definition: 7 }), 'sound'],
    ['whose time is none', () => ofVersion(1, 'TriggerEnabled', { trigger: 'sick', next: 'soon' }), 'sound'],
    [
      'whose time the database refuses',
      () => ofVersion(1, 'TriggerEnabled', { trigger: 'sick', next: NO_TIME }),
      NO_TIME,
    ],
    ['that names another trigger', () => ofVersion(1, 'TriggerDisabled', { trigger: 'well' }), 'well'],
  ])('sets that trigger aside, and no other, if it is one %s', async (_, damaged, reason) => {
    await store(triggerStream('sick'), damaged());
    await service.waybill.queue('items').enqueue(1);
    await indexed();
    await made('well', 1);
    await made('jobs', 1);
    await triedAgain();
    expect(await madeIn('sick')).toBe(0);
    expect(await lost()).toEqual([
      expect.objectContaining({ trigger: 'sick', until: null, reason: expect.stringContaining(reason) }),
    ]);
  });

  it('goes on with it once a build starts that knows the event, and makes what it owes by it', async () => {
    await store(triggerStream('sick'), ofVersion(1, LATER, AS_LATER));
    await indexed();
    await expect(service.waybill.trigger('sick').disable()).rejects.toMatchObject({ code: 'STREAM_UNREADABLE' });
    await made('well', 1);
    await service.restart();
    expect(await lost()).toHaveLength(1);
    knowLater();
    await service.restart();
    await until('the trigger to be applied', async () => ((await lost()).length === 0 ? true : null));
    await service.pool.query('update events_put_aside set retry_at = now() where retry_at is not null');
    await made('moved', 1);
    expect(await service.waybill.trigger('sick').get()).toMatchObject({ task: { queue: 'moved' } });
    await indexed();
    await made('moved', 2);
    expect(await madeIn('sick')).toBe(0);
  });

  it('lets no trigger with times fire by a definition that is out of date', async () => {
    const pool = new PostgresPool({ url: service.databaseUrl, size: 1, functions: BUILD.schema });
    for (const name of ['timed', 'sick-timed']) {
      await store(triggerStream(name), ofVersion(99, 'TriggerDisabled', { trigger: name }));
    }
    await indexed();
    await pool.query('update triggers set next_at = now() where next_at is not null');
    expect(await new PostgresTriggerStates(pool).due(10)).toEqual([]);
    await service.waybill.queue('items').enqueue(1);
    await service.waybill.trigger('next').define({ queue: 'items', every: 1, batchSize: 1, task: { queue: 'jobs' } });
    await until('the next trigger to fire', async () => (await service.waybill.trigger('next').get()).last);
    await pool.end();
  });

  it.each([
    ['a queue', () => queueStream('in'), 'QueuePaused', { queue: 'in' }],
    ['a hold', () => holdStream('stop'), 'HoldPlaced', { hold: 'stop', selector: { labels: { a: 'b' } } }],
  ])('stops at one of %s, without which tasks would run that must not', async (_, stream, type, data) => {
    await store(stream(), ofVersion(99, type, data));
    const stopped = await until(
      'the index to stop',
      async () =>
        (await service.waybill.projections()).find(
          ({ name, status }) => name === 'dispatch-index' && status === 'stopped',
        ) ?? null,
    );
    expect(stopped).toMatchObject({ error: expect.stringContaining(`this build does not know '${type}' version 99`) });
  });

  it('passes one of the consumers of a queue, of which it keeps nothing', async () => {
    await store(consumerStream('in'), ofVersion(99, 'ConsumerTookOver', {}));
    await indexed();
    await made('well', 1);
    expect(await lost()).toEqual([]);
  });

  /** From now on this build knows the event. */
  function knowLater(): void {
    for (const name of ['upcast', 'upcastAny'] as const) {
      const original = EventCodec.prototype[name];
      jest.spyOn(EventCodec.prototype, name).mockImplementation(function (this: EventCodec, type, version, data) {
        return original.call(this, type === LATER ? 'TriggerChanged' : type, version, data);
      });
    }
  }
});
