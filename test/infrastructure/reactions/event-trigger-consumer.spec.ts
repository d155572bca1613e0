import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { EventFiring } from '../../../src/application/triggers/event-firing.js';
import { EventTriggers } from '../../../src/application/triggers/event-triggers.js';
import { OperateTrigger, type TriggerOperation } from '../../../src/application/triggers/operate-trigger.handler.js';
import { TriggerStates } from '../../../src/application/triggers/trigger-states.port.js';
import type { EnqueueOutcome } from '../../../src/application/tasks/enqueue-item.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { CheckpointReadPositions } from '../../../src/infrastructure/projection-engine/checkpoint-read-positions.js';
import { LogFeed } from '../../../src/infrastructure/projection-engine/log-feed.js';
import { Progress } from '../../../src/infrastructure/projection-engine/progress.js';
import { EventTriggerConsumer } from '../../../src/infrastructure/reactions/event-trigger-consumer.js';
import { ReactionRunner, Reactions } from '../../../src/infrastructure/reactions/reaction-runner.js';
import { defineQueue, enqueue } from '../../support/events.js';
import { until } from '../../support/until.js';
import { PostgresApplication } from './postgres-application.js';

const IN_TIME = 30_000;
const BY = { actor: 'ann', correlationId: 'test' };

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
    const events = await app.db.store.readAll(0n, 1_000);
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

  it('drops what a trigger owes that is deleted', async () => {
    ill.set('sick', new TypeError('no such thing'));
    await add(2);
    await operate('sick', { type: 'DeleteTrigger' });
    await again();
    await dealtWith();
    expect(await toldOf('sick')).toEqual([]);
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
