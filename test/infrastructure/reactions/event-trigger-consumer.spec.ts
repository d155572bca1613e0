import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { EventFiring } from '../../../src/application/triggers/event-firing.js';
import { EventTriggers } from '../../../src/application/triggers/event-triggers.js';
import { FireDueTriggers } from '../../../src/application/triggers/fire-due-triggers.handler.js';
import { OperateTrigger, type TriggerOperation } from '../../../src/application/triggers/operate-trigger.handler.js';
import { TriggerStates } from '../../../src/application/triggers/trigger-states.port.js';
import type { EnqueueOutcome } from '../../../src/application/tasks/enqueue-item.js';
import { PostgresTriggerStates } from '../../../src/infrastructure/dispatch-index/postgres-trigger-states.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { CheckpointReadPositions } from '../../../src/infrastructure/projection-engine/checkpoint-read-positions.js';
import { LogFeed } from '../../../src/infrastructure/projection-engine/log-feed.js';
import { Progress } from '../../../src/infrastructure/projection-engine/progress.js';
import { EventTriggerConsumer } from '../../../src/infrastructure/reactions/event-trigger-consumer.js';
import { MOST_PUT_ASIDE } from '../../../src/infrastructure/reactions/events-put-aside.js';
import { ReactionRunner, Reactions } from '../../../src/infrastructure/reactions/reaction-runner.js';
import { defineQueue, enqueue } from '../../support/events.js';
import { until } from '../../support/until.js';
import { PostgresApplication } from './postgres-application.js';

const IN_TIME = 120_000;
const BY = { actor: 'ann', correlationId: 'test' };

const daily = (queue: string): TriggerOperation => ({
  type: 'DefineTrigger',
  definition: { cron: '0 0 * * *', timeZone: 'UTC', missed: 'latest', description: '', task: { queue } },
});

describe('the follower of triggers', () => {
  let app: PostgresApplication;
  let leaders: Leaders;
  let runner: ReactionRunner;
  let positions: CheckpointReadPositions;
  let enqueueOf: EventFiring['enqueue'];
  /** Triggers whose tasks are refused, or whose commands fail. */
  let ill: Map<string, EnqueueOutcome | Error>;

  beforeEach(async () => {
    app = await PostgresApplication.start();
    Logger.overrideLogger(false);
    await app.db.store.append(['in', 'sick', 'well'].map((name) => defineQueue(name)));
    for (const name of ['sick', 'well']) await operate(name, definition(name));
    ill = new Map();
    const firing = app.get(EventFiring);
    enqueueOf = firing.enqueue.bind(firing);
    firing.enqueue = (trigger, ...rest) => {
      const trouble = ill.get(trigger);
      if (trouble instanceof Error) return Promise.reject(trouble);
      return trouble ? Promise.resolve(trouble) : enqueueOf(trigger, ...rest);
    };
    start();
  });
  afterEach(async () => {
    await runner.stop();
    await leaders.close();
    await app.stop();
  });

  function start(): void {
    const { pool, store } = app.db;
    leaders = new Leaders(pool, { retryMs: 20 });
    const progress = new Progress();
    const consumer = new EventTriggerConsumer(app.get(EventTriggers), app.get(EventFiring), pool, store);
    const reactions = new Reactions([], [consumer]);
    runner = new ReactionRunner(reactions, pool, store, new LogFeed(store), leaders, progress);
    positions = new CheckpointReadPositions(pool, store, progress);
    runner.start();
  }

  const definition = (queue: string) =>
    ({
      type: 'DefineTrigger',
      definition: { event: { types: ['TaskEnqueued'], queue: 'in' }, description: '', task: { queue } },
    }) as TriggerOperation;
  const changedTo = (description: string) => ({
    definition: { event: { types: ['TaskEnqueued'], queue: 'in' }, description, task: { queue: 'sick' } },
  });
  /** Lets the triggers with times fire. Returns those that did. */
  async function fireDue(): Promise<readonly string[]> {
    await app.db.pool.query(`update triggers set next_at = date_trunc('day', now(), 'UTC') where next_at is not null`);
    const due = await new PostgresTriggerStates(app.db.pool).due(10);
    await app.commands.execute(new FireDueTriggers(due, BY));
    const { rows } = await app.db.pool.query('select name from triggers where last_at is not null and next_at > now()');
    return rows.map(({ name }) => name);
  }
  const operate = (name: string, operation: TriggerOperation) =>
    app.commands.execute(new OperateTrigger(name, operation, BY));
  /** Adds tasks that the triggers wait for, and lets the follower pass them. Returns their streams. */
  const add = async (count: number): Promise<readonly string[]> => {
    const tasks = Array.from({ length: count }, () => enqueue('in'));
    for (const task of tasks) await app.db.store.append([task]);
    await positions.caughtUpTo('event-triggers', await app.db.store.head(), IN_TIME);
    return tasks.map(({ stream }) => stream);
  };
  /** The streams of which a queue's tasks tell. */
  const toldOf = async (queue: string): Promise<readonly string[]> => {
    const upTo = await app.db.store.head();
    const { events } = await app.db.store.scan({ after: 0n, upTo }, 1_000, { types: ['TaskEnqueued'] });
    return events.flatMap(({ event: { type, data } }) => {
      const { queue: of, payload } = data as { queue?: string; payload?: { event: { subject: string } } };
      return type === 'TaskEnqueued' && of === queue ? [payload!.event.subject] : [];
    });
  };
  const putAside = async () =>
    (await app.db.pool.query('select line, error is null as waits, tries from events_put_aside order by position'))
      .rows;
  const dealtWith = () => until('all events to be dealt with', async () => (await putAside()).length === 0 || null);
  const again = () => app.db.pool.query('update events_put_aside set retry_at = now() where retry_at is not null');

  it.each([
    ['is contended', { kind: 'refused', rejection: { code: 'CONTENTION' } } as EnqueueOutcome],
    ['meets a bug', new TypeError('no such thing')],
  ])('fires the others while one %s, whose events wait in their order until it is well', async (_, trouble) => {
    ill.set('sick', trouble);
    const added = [...(await add(2)), ...(await add(1))];
    expect(sorted(await toldOf('well'))).toEqual(sorted(added));
    expect(await toldOf('sick')).toEqual([]);
    expect(await putAside()).toMatchObject([
      { line: 'sick', waits: false },
      { line: 'sick', waits: true },
      { line: 'sick', waits: true },
    ]);
    ill.clear();
    await again();
    await dealtWith();
    added.push(...(await add(1)));
    expect(sorted(await toldOf('sick'))).toEqual(sorted(added));
    const states = new Map(
      (await app.get<TriggerStates>(TriggerStates as never).all()).map((one) => [one.name, one.state]),
    );
    expect(states.get('sick')).toMatchObject({ failures: 0, upTo: states.get('well')!['upTo' as never] });
  });

  it('that comes back takes each event for those of the triggers as they were then', async () => {
    const [first] = await add(1);
    await runner.stop();
    await leaders.close();
    app.get(EventTriggers).forget();
    await app.db.store.append([defineQueue('new')]);
    const [before, after] = [enqueue('in'), enqueue('in')];
    await app.db.store.append([before]);
    await operate('new', definition('new'));
    await operate('well', daily('well'));
    await app.db.store.append([after]);
    start();
    await positions.caughtUpTo('event-triggers', await app.db.store.head(), IN_TIME);
    expect(await toldOf('new')).toEqual([after.stream]);
    expect(sorted(await toldOf('well'))).toEqual(sorted([first!, before.stream]));
    expect(sorted(await toldOf('sick'))).toEqual(sorted([first!, before.stream, after.stream]));
  });

  it.each<[string, TriggerOperation]>([
    ['deleted', { type: 'DeleteTrigger' }],
    ['disabled', { type: 'DisableTrigger' }],
    ['changed so that it has times instead', daily('sick')],
  ])('names what a trigger owes that is %s, and drops it for good', async (_, operation) => {
    ill.set('sick', new TypeError('no such thing'));
    await add(2);
    const { dropped, position } = await operate('sick', operation);
    expect(dropped).toEqual({ count: 2, from: expect.any(String), to: expect.any(String) });
    const { event } = await app.db.store.readAt(BigInt(position));
    expect(event.data).toMatchObject({ dropped });
    await dealtWith();
    ill.clear();
    await operate('sick', definition('sick'));
    await operate('sick', { type: 'EnableTrigger' });
    const added = await add(1);
    expect(await toldOf('sick')).toEqual(added);
  });

  it('keeps what a trigger owes whose pattern is changed', async () => {
    ill.set('sick', new TypeError('no such thing'));
    const added = await add(2);
    const changed = { event: { types: ['QueuePaused'] }, description: '', task: { queue: 'sick' } };
    expect(await operate('sick', { type: 'DefineTrigger', definition: changed })).not.toHaveProperty('dropped');
    ill.clear();
    await again();
    await dealtWith();
    expect(sorted(await toldOf('sick'))).toEqual(sorted(added));
  });

  it.each([
    ['of a version that only a later build knows', 'update segments set version = version + 98 where position = $1'],
    ['whose JSON is damaged', `update segments set shared = null, data = '{"broken' where position = $1`],
    [
      'whose data are of something else',
      `update segments set shared = null, data = '{"trigger":7}' where position = $1`,
    ],
  ])('fires the others after an event of a trigger %s, and sets that one aside', async (_, damage) => {
    await runner.stop();
    await leaders.close();
    const { position } = await operate('sick', { ...definition('sick'), ...changedTo('later') } as TriggerOperation);
    const { rows } = await app.db.pool.query('select * from segments where position = $1', [position]);
    await app.db.pool.query(damage, [position]);
    start();
    const added = await add(2);
    expect(sorted(await toldOf('well'))).toEqual(sorted(added));
    expect(await toldOf('sick')).toEqual([]);
    expect(await putAside()).toMatchObject([
      { line: 'sick', waits: false },
      { line: 'sick', waits: true },
      { line: 'sick', waits: true },
    ]);
    await operate('timed', daily('well'));
    expect(await fireDue()).toEqual(['timed']);
    await again();
    await until('a further try', async () => ((await putAside())[0]?.tries > 1 ? true : null));
    expect(await putAside()).toHaveLength(3);
    const { version, shared, data } = rows[0]!;
    await app.db.pool.query('update segments set version = $2, shared = $3, data = $4 where position = $1', [
      position,
      version,
      shared,
      data,
    ]);
    await again();
    await dealtWith();
    expect(sorted(await toldOf('sick'))).toEqual(sorted(added));
  });

  it('gives up the oldest events of a trigger that owes too many, and says so', async () => {
    ill.set('sick', new TypeError('no such thing'));
    await add(2);
    await app.db.pool.query(
      `insert into events_put_aside (follower, line, position, matched)
       select 'event-triggers', 'sick', 1000000 + n, true from generate_series(1, $1::int) n`,
      [MOST_PUT_ASIDE - 2],
    );
    await add(1);
    const told = async () =>
      (await app.db.pool.query(`select skipped, problem, failures from triggers where name = 'sick'`)).rows[0];
    await until('the record', async () => (await told())!.skipped);
    expect(await told()).toMatchObject({
      skipped: { count: 1, total: 1 },
      problem: { code: 'TOO_MANY_OWED', count: 1 },
      failures: 1,
    });
    const isCut = async () => (await putAside()).length === MOST_PUT_ASIDE || null;
    await until('the rest', isCut);
    await add(1);
    await until('the next record', async () => (await told())!.skipped.total === 2 || null);
    await until('the rest', isCut);
  });

  it('makes by the new definition what a trigger owes whose definition was mended', async () => {
    ill.set('sick', new TypeError('no such thing'));
    const added = await add(2);
    await app.db.store.append([defineQueue('mended')]);
    await operate('sick', definition('mended'));
    ill.clear();
    await again();
    await dealtWith();
    expect(sorted(await toldOf('mended'))).toEqual(sorted(added));
  });

  it('waits while the system drains, which refuses the tasks of all', async () => {
    const drains = { kind: 'refused', rejection: { code: 'DRAINING' } } as unknown as EnqueueOutcome;
    for (const name of ['sick', 'well']) ill.set(name, drains);
    const first = enqueue('in');
    await app.db.store.append([first]);
    const { rows } = await app.db.pool.query(
      `select position from projection_checkpoints where name = 'event-triggers'`,
    );
    expect(BigInt(rows[0]?.position ?? 0)).toBeLessThan(await app.db.store.head());
    expect(await putAside()).toEqual([]);
    ill.clear();
    const added = [first.stream, ...(await add(1))];
    expect(sorted(await toldOf('well'))).toEqual(sorted(added));
  });
});

const sorted = (streams: readonly string[]): readonly string[] => [...streams].sort();
