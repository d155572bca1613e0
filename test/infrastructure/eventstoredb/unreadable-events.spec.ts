import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { binaryEvent, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { Logger } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import type { EventFilter } from '../../../src/application/kernel/event-store.port.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { triggerStream } from '../../../src/domain/trigger/trigger.stream.js';
import { PostgresQuarantine } from '../../../src/infrastructure/dispatch-index/postgres-quarantine.js';
import { EventCodec } from '../../../src/infrastructure/event-codec/event-codec.js';
import { ReadQuarantinedAgain } from '../../../src/infrastructure/sweeper/chores/read-quarantined-again.js';
import { until } from '../../support/until.js';
import { openReservedDispatch, type ReservedDispatch } from '../../support/dispatch-fixture.js';

/** A type that only a later build knows. There it means what `TaskReprioritised` means here. */
const LATER = 'TaskRankedAnew';

describe('an event that the index in EventStoreDB mode cannot apply', () => {
  let dispatch: ReservedDispatch;
  let client: EventStoreDBClient;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    dispatch = await openReservedDispatch();
    client = EventStoreDBClient.connectionString(dispatch.server!.url.replace('kurrentdb:', 'esdb:'));
    await dispatch.define('mail', { duplicatePending: 'allow' });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await client.dispose();
    await dispatch.close();
  });

  /** As a later build, or another program, stores an event. */
  const storeRaw = (taskId: string, type: string, data: object, version = 1): Promise<void> =>
    storeIn(taskStream(taskId), type, data, version);

  async function storeIn(stream: string, type: string, data: object, version = 1): Promise<void> {
    const metadata = { version, actor: 'later', $correlationId: 'test' };
    await client.appendToStream(dispatch.prefix + stream, jsonEvent({ type, data: data as never, metadata }));
    await dispatch.index.reached(await dispatch.log.head(), 10_000);
  }

  async function enqueue(...items: object[]): Promise<string[]> {
    const ids: string[] = [];
    for (const one of items) ids.push(...(await dispatch.enqueue('mail', [one])));
    return ids;
  }

  const claimedIds = async (max: number): Promise<string[]> =>
    (await dispatch.claim('mail', { max })).map(({ taskId }) => taskId);

  const quarantined = async (): Promise<readonly object[]> =>
    (await dispatch.pool.query('select task_id, parked, error from quarantined order by since')).rows;

  const rowOf = async (taskId: string): Promise<object> =>
    (await dispatch.pool.query('select state, priority, revision from tasks where task_id = $1', [taskId]))
      .rows[0] as object;

  /** From now on this build knows the event, and starts. */
  async function startLaterBuild(): Promise<void> {
    await dispatch.follower.stop();
    for (const name of ['upcast', 'upcastAny'] as const) {
      const original = EventCodec.prototype[name];
      jest.spyOn(EventCodec.prototype, name).mockImplementation(function (
        this: EventCodec,
        type: string,
        version: number,
        data: object,
      ) {
        return original.call(this, type === LATER ? 'TaskReprioritised' : type, version, data);
      });
    }
    dispatch.follower.start();
    await until('the parked events to be applied', async () =>
      (await dispatch.pool.query('select from quarantined where parked')).rowCount === 0 ? true : null,
    );
  }

  async function readAgain(): Promise<void> {
    const quarantine = new PostgresQuarantine(dispatch.pool, dispatch.wakeUps);
    const chore = new ReadQuarantinedAgain(dispatch.store, quarantine);
    await chore.act(await chore.find(10));
  }

  it('puts its task aside, and the index goes on with all others', async () => {
    const [first] = await enqueue({});
    await storeRaw(first!, LATER, { queue: 'mail', priority: 9, previous: 0 });
    const [second] = await enqueue({});
    expect(await claimedIds(2)).toEqual([second]);
    const error = `this build does not know '${LATER}' version 1`;
    expect(await quarantined()).toEqual([{ task_id: first, parked: true, error }]);
    expect(await rowOf(first!)).toEqual({ state: 'pending', priority: 0, revision: 0 });
  });

  it('puts its trigger aside, and the index goes on', async () => {
    await storeIn(triggerStream('sick'), 'TriggerMoved', { trigger: 'sick' });
    const [first] = await enqueue({});
    expect(await claimedIds(1)).toEqual([first]);
    const { rows } = await dispatch.pool.query('select follower, line from events_put_aside');
    expect(rows).toEqual([{ follower: 'dispatch-index', line: 'sick' }]);
  });

  it('is applied when a build starts that knows it, with what followed, and the task comes back', async () => {
    const [first, second] = await enqueue({ key: 'a' }, { key: 'a' });
    await storeRaw(first!, LATER, { queue: 'mail', priority: 9, previous: 0 });
    await storeRaw(first!, 'TaskReprioritised', { queue: 'mail', priority: 7, previous: 9 });
    expect(await claimedIds(2)).toEqual([]);
    expect(await rowOf(first!)).toEqual({ state: 'pending', priority: 0, revision: 0 });
    await startLaterBuild();
    await readAgain();
    expect(await quarantined()).toEqual([]);
    expect(await rowOf(first!)).toEqual({ state: 'pending', priority: 7, revision: 2 });
    expect(await claimedIds(2)).toEqual([first]);
    expect(second).toBeDefined();
  });

  it('stays aside if the build that starts does not know it either', async () => {
    const [first] = await enqueue({});
    await storeRaw(first!, LATER, { queue: 'mail', priority: 9, previous: 0 });
    await dispatch.follower.stop();
    dispatch.follower.start();
    const [second] = await enqueue({});
    await readAgain();
    expect(await quarantined()).toMatchObject([{ task_id: first, parked: true }]);
    expect(await claimedIds(2)).toEqual([second]);
  });

  it('keeps the lease of a running task, and ends it once the events are applied', async () => {
    const [first] = await enqueue({});
    const [claimed] = await dispatch.claim('mail');
    await storeRaw(first!, LATER, { queue: 'mail', priority: 9, previous: 0 });
    await storeRaw(first!, 'TaskSucceeded', {
      queue: 'mail',
      worker: 'w1',
      token: claimed!.token.split('.')[0],
      attempt: 1,
    });
    expect((await dispatch.pool.query('select from task_leases where task_id = $1', [first])).rowCount).toBe(1);
    await startLaterBuild();
    await readAgain();
    expect(await rowOf(first!)).toMatchObject({ state: 'succeeded' });
    expect((await dispatch.pool.query('select from leases')).rowCount).toBe(0);
    expect(await quarantined()).toEqual([]);
  });

  it('may be the first of its task, which then has no row yet', async () => {
    const first = uuidv7();
    await storeRaw(first, 'TaskEnqueued', { queue: 'mail', kind: 'task' }, 99);
    await storeRaw(first, 'TaskReprioritised', { queue: 'mail', priority: 7, previous: 0 });
    const [second] = await enqueue({});
    expect(await claimedIds(2)).toEqual([second]);
    expect(await quarantined()).toMatchObject([{ task_id: first, parked: true }]);
  });

  it.each([
    ['a known type without its data', {}],
    ['a known type with data of other types', { queue: 7, kind: { of: 'none' }, priority: 'high', key: ['k'] }],
  ])('may be of %s', async (_, data) => {
    const first = uuidv7();
    await storeRaw(first, 'TaskEnqueued', data);
    const [second] = await enqueue({});
    expect(await claimedIds(2)).toEqual([second]);
    expect(await quarantined()).toMatchObject([{ task_id: first, parked: true }]);
  });

  it('refuses commands on its task with one clear error, and no others', async () => {
    const [first] = await enqueue({});
    await storeRaw(first!, LATER, { queue: 'mail', priority: 9, previous: 0 });
    expect(
      await dispatch.command(first!, { type: 'CancelTask', onRunning: 'cancel', reason: null } as never).catch(String),
    ).toContain('Expected to read');
    const [second] = await enqueue({});
    expect(await dispatch.command(second!, { type: 'CancelTask', onRunning: 'cancel', reason: null } as never)).toBe(
      'accepted',
    );
  });
});

describe('an event in EventStoreDB whose JSON is damaged', () => {
  it('is shown as such among the others, and in its own stream', async () => {
    Logger.overrideLogger(false);
    const dispatch = await openReservedDispatch();
    const client = EventStoreDBClient.connectionString(dispatch.server!.url.replace('kurrentdb:', 'esdb:'));
    await dispatch.define('mail');
    const [before] = await dispatch.enqueue('mail', [{}]);
    const damaged = binaryEvent({ type: 'TaskReprioritised', data: Buffer.from('{"broken') });
    await client.appendToStream(dispatch.prefix + taskStream(before!), damaged);
    await dispatch.enqueue('mail', [{}]);
    const upTo = await dispatch.log.head();
    const shown = async (filter: EventFilter) =>
      (await dispatch.log.scan({ after: 0n, upTo }, 100, filter)).events.map(({ event, unreadable }) => [
        event.type,
        unreadable !== undefined,
      ]);
    const ofTask = [
      ['TaskEnqueued', false],
      ['TaskReprioritised', true],
    ];
    expect(await shown({ queue: 'mail' })).toEqual([['QueueDefined', false], ...ofTask, ['TaskEnqueued', false]]);
    expect(await shown({ stream: taskStream(before!) })).toEqual(ofTask);
    await client.dispose();
    await dispatch.close();
  });
});
