import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { NO_STREAM } from '../../../src/application/kernel/event-store.port.js';
import { holdStream } from '../../../src/domain/hold/hold.stream.js';
import { queueStream } from '../../../src/domain/queue/queue.stream.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { triggerStream } from '../../../src/domain/trigger/trigger.stream.js';
import { IndexMender } from '../../../src/infrastructure/eventstoredb/reservations/index-mender.js';
import { TransactionLog } from '../../../src/infrastructure/eventstoredb/log/transaction-log.js';
import { LocalWakeUps } from '../../../src/infrastructure/notify/local-wake-ups.js';
import { PostgresIndexRows } from '../../../src/infrastructure/dispatch-index/postgres-index-rows.js';
import { LogFeed } from '../../../src/infrastructure/projection-engine/log-feed.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { Follower } from '../../../src/infrastructure/projection-engine/follower.js';
import { Progress } from '../../../src/infrastructure/projection-engine/progress.js';
import { ProjectionConsumer } from '../../../src/infrastructure/projection-engine/projection-consumer.js';
import { Rebuild } from '../../../src/infrastructure/projection-engine/rebuild.js';
import { queueStats } from '../../../src/projections/queue-stats/queue-stats.projection.js';
import { openReservedDispatch, type ReservedDispatch } from '../../support/dispatch-fixture.js';
import { enqueue, item } from '../../support/events.js';
import type { Sent } from '../../support/eventstoredb/faults.js';
import { until } from '../../support/until.js';

/** As the chore that archives ended tasks moves one. */
const ARCHIVE = `
  with moved as (delete from tasks where task_id = $1 returning *)
  insert into tasks_archive select now(), moved.* from moved returning task_id as moved`;

const PLACED = {
  type: 'HoldPlaced',
  version: 1,
  data: { hold: 'h', selector: { labels: { customer: 'a' } }, by: 'ann', at: '2026-01-01T00:00:00.000Z' },
};

describe('an event that the log in EventStoreDB does not deliver, or delivers twice', () => {
  let dispatch: ReservedDispatch;
  let warned: jest.SpiedFunction<Logger['warn']>;

  beforeEach(async () => {
    warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    // After a break, what was skipped would be sent again.
    dispatch = await openReservedDispatch({ fixture: { breaksEvery: 0 } });
    await dispatch.define('mail');
    await dispatch.comparison.look();
  });
  afterEach(async () => {
    await dispatch.close();
    jest.restoreAllMocks();
  });

  const ofType =
    (wanted: string) =>
    ({ type }: Sent): boolean =>
      type === wanted;

  const skip = (type: string): void => dispatch.server!.faults.skipEvent(ofType(type));

  const passed = async (): Promise<boolean> => dispatch.index.reached(await dispatch.log.head(), 10_000);

  /** Something else, so that the index passes what it did not get. */
  async function appendAnother(): Promise<void> {
    const [result] = await dispatch.log.append([enqueue('other')]);
    await until('the index to pass it', async () =>
      (await dispatch.index.reached((result as { position: bigint }).position, 0)) ? true : null,
    );
  }

  async function cleanOverdue(): Promise<void> {
    await dispatch.pool.query(`update reservations set deadline = now() - interval '1 second'`);
    await dispatch.cleaner.clean();
  }

  /** So much that it is left out of later reads. */
  function writeAsOthers(): void {
    const event = { type: 'X', contentType: 'application/json', metadata: Buffer.from('') };
    const data = Buffer.from(JSON.stringify('x'.repeat(10_000)));
    const events = Array.from({ length: 60 }, () => ({ ...event, id: uuidv7(), data }));
    dispatch.server!.log.append(`other-${uuidv7()}`, 'any', events);
  }

  const claimed = async (): Promise<string[]> => (await dispatch.claim('mail', { max: 9 })).map(({ taskId }) => taskId);

  const rowOf = async (taskId: string): Promise<object | undefined> =>
    (await dispatch.pool.query('select state, revision from tasks where task_id = $1', [taskId])).rows[0] as object;

  const gaps = async (): Promise<object> =>
    Object.fromEntries(
      (await dispatch.pool.query<{ kind: string; gaps: string }>('select * from log_gaps')).rows.map((row) => [
        row.kind,
        Number(row.gaps),
      ]),
    );

  const told = (): string[] =>
    warned.mock.calls.map(([text]) => String(text)).filter((text) => /did not come|came again/.test(text));

  /** As `enqueue` of a caller who does not wait for the index. */
  async function enqueueSkipped(followers = 1): Promise<string> {
    const taskId = uuidv7();
    for (let at = 0; at < followers; at++)
      dispatch.server!.faults.skipEvent(({ stream }) => stream.endsWith(taskStream(taskId)));
    const one = enqueue('mail', {}, undefined, taskId);
    await dispatch.reservations.reserve(one);
    await dispatch.log.append([one]);
    await appendAnother();
    return taskId;
  }

  it('given an enqueue that was skipped, when its reservation is overdue, then the index gets it from the stream', async () => {
    const taskId = await enqueueSkipped();
    expect(await rowOf(taskId)).toBeUndefined();
    await cleanOverdue();
    expect(await claimed()).toEqual([taskId]);
    expect(await gaps()).toEqual({ skipped: 1 });
    expect(told()).toEqual([
      `Expected to get every event of '${taskStream(taskId)}', but revision 0 did not come; read from the stream and applied`,
    ]);
  });

  it('given a reservation that was lost besides, when the log is compared, then the index gets the enqueue', async () => {
    const taskId = await enqueueSkipped();
    await dispatch.pool.query('delete from reservations');
    await dispatch.comparison.look();
    expect(await claimed()).toEqual([taskId]);
    expect(await gaps()).toEqual({ skipped: 1 });
  });

  it('given others that wrote much around it, when the log is compared, then the index and later reads get the enqueue', async () => {
    writeAsOthers();
    const taskId = await enqueueSkipped();
    await dispatch.pool.query('delete from reservations');
    await dispatch.comparison.look();
    expect(await claimed()).toEqual([taskId]);
    expect((await dispatch.log.readAll(0n, 1_000)).map(({ stream }) => stream)).toContain(taskStream(taskId));
  });

  it('given a gap within a stream, when its next event comes, then the index applies both', async () => {
    const taskId = uuidv7();
    skip('TaskHeld');
    await dispatch.log.append([enqueue('mail', {}, undefined, taskId)]);
    const held = { type: 'TaskHeld', version: 1, data: { queue: 'mail', by: 'ann', reason: null } };
    await dispatch.log.append([item(taskStream(taskId), 0, [held])]);
    const ranked = { type: 'TaskReprioritised', version: 1, data: { queue: 'mail', priority: 7, previous: 0 } };
    await dispatch.log.append([item(taskStream(taskId), 1, [ranked])]);
    await passed();
    expect(await rowOf(taskId)).toEqual({ state: 'held', revision: 2 });
    expect(await gaps()).toEqual({ skipped: 1 });
  });

  it.each(['before', 'after'])(
    'given a gap that the comparison heals %s the follower reads it, then it is applied once',
    async (order) => {
      const [taskId] = await dispatch.enqueue('mail', [{}]);
      const stream = taskStream(taskId!);
      skip('TaskHeld');
      const held = { type: 'TaskHeld', version: 1, data: { queue: 'mail', by: 'ann', reason: null } };
      await dispatch.log.append([item(stream, 0, [held])]);
      await appendAnother();
      const { pool } = dispatch;
      const [query, readStream] = [pool.query.bind(pool), dispatch.log.readStream.bind(dispatch.log)];
      let isHealed = false;
      const heal = async (): Promise<void> => {
        if (isHealed) return;
        isHealed = true;
        await dispatch.comparison.look();
      };
      if (order === 'after')
        jest.spyOn(dispatch.log, 'readStream').mockImplementation(async (...read) => {
          const events = await readStream(...read);
          await heal();
          return events;
        });
      else
        jest.spyOn(pool, 'query').mockImplementation((async (...asked: Parameters<typeof query>) => {
          if (String(asked[0]).includes('waybill_index_revision')) await heal();
          return query(...asked);
        }) as never);
      const ranked = { type: 'TaskReprioritised', version: 1, data: { queue: 'mail', priority: 7, previous: 0 } };
      await dispatch.log.append([item(stream, 1, [ranked])]);
      await passed();
      expect(await rowOf(taskId!)).toEqual({ state: 'held', revision: 2 });
      expect(await gaps()).toEqual({ skipped: 1 });
    },
  );

  it('given a hold that was skipped, when the log is compared, then it holds', async () => {
    skip('HoldPlaced');
    await dispatch.log.append([item(holdStream('h'), NO_STREAM, [PLACED])]);
    await appendAnother();
    await dispatch.comparison.look();
    expect((await dispatch.pool.query('select state from holds')).rows).toEqual([{ state: 'placed' }]);
    expect(await gaps()).toEqual({ skipped: 1 });
  });

  describe('given a stream that is put aside', () => {
    /** As a later build stores an event. */
    function storeLater(stream: string): void {
      const metadata = Buffer.from(JSON.stringify({ version: 1, actor: 'later', $correlationId: 'test' }));
      const event = { id: uuidv7(), type: 'Later', contentType: 'application/json', data: Buffer.from('{}'), metadata };
      dispatch.server!.log.append(dispatch.prefix + stream, 'any', [event]);
    }
    const aside = (): Promise<true> =>
      until('it to be put aside', async () => {
        const { rows } = await dispatch.pool.query(
          'select task_id from quarantined union all select null from events_put_aside',
        );
        return rows.length > 0 ? true : null;
      });

    it.each([
      ['a task', taskStream(uuidv7())],
      ['a trigger', triggerStream('t')],
    ])('when the log is compared, then it is not looked at: %s', async (_, stream) => {
      storeLater(stream);
      await aside();
      await appendAnother();
      const read = jest.spyOn(dispatch.log, 'readStream');
      await dispatch.comparison.look();
      expect(read).not.toHaveBeenCalled();
      expect(await gaps()).toEqual({});
    });

    it('when something else of its name lacks an event, then that is healed', async () => {
      storeLater(triggerStream('h'));
      await aside();
      skip('HoldPlaced');
      await dispatch.log.append([item(holdStream('h'), NO_STREAM, [PLACED])]);
      await appendAnother();
      await dispatch.comparison.look();
      expect((await dispatch.pool.query('select state from holds')).rows).toEqual([{ state: 'placed' }]);
    });
  });

  it('given a gap that two heal at once, then one of them does, it is counted once, and nobody calls it a fault', async () => {
    const taskId = await enqueueSkipped();
    const faults = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    const { pool, log } = dispatch;
    const menderOn = (readStream: typeof log.readStream): IndexMender =>
      new IndexMender(pool, { readStream }, new TransactionLog(log), new LocalWakeUps());
    const first = menderOn((...asked) => log.readStream(...asked));
    const second = menderOn(async (...asked) => {
      const events = await log.readStream(...asked);
      await first.mend([taskStream(taskId)]);
      return events;
    });
    expect(await second.mend([taskStream(taskId)])).toBe(true);
    expect(await rowOf(taskId)).toEqual({ state: 'pending', revision: 0 });
    expect(await gaps()).toEqual({ skipped: 1 });
    expect(told()).toHaveLength(1);
    expect(faults).not.toHaveBeenCalled();
  });

  it('given an event that is skipped where a follower resumes, when the log is compared, then the index gets it', async () => {
    await dispatch.follower.stop();
    await until('its subscription to end', async () => (dispatch.server!.faults.subscriptions === 0 ? true : null));
    const [first, second] = [uuidv7(), uuidv7()];
    skip('TaskEnqueued');
    for (const id of [first, second]) await dispatch.log.append([enqueue('mail', {}, undefined, id)]);
    dispatch.follower.start();
    await passed();
    expect(await rowOf(first)).toBeUndefined();
    await dispatch.comparison.look();
    expect(await claimed()).toEqual([first, second]);
    expect(await gaps()).toEqual({ skipped: 1 });
  });

  it.each([
    ['first', 'TaskHeld'],
    ['last', 'TaskReprioritised'],
  ])('given the %s append of a transaction that was skipped, then all of it is applied', async (_, type) => {
    const [first, second] = await dispatch.enqueue('mail', [{}, {}]);
    const held = { type: 'TaskHeld', version: 1, data: { queue: 'mail', by: 'ann', reason: null } };
    const ranked = { type: 'TaskReprioritised', version: 1, data: { queue: 'mail', priority: 7, previous: 0 } };
    skip(type);
    const results = await dispatch.store.append(
      [item(taskStream(first!), 0, [held]), item(taskStream(second!), 0, [ranked])],
      { atomic: true },
    );
    expect(results).toMatchObject([{ kind: 'appended' }, { kind: 'appended' }]);
    await appendAnother();
    await cleanOverdue();
    expect(await rowOf(first!)).toEqual({ state: 'held', revision: 1 });
    expect(await rowOf(second!)).toEqual({ state: 'pending', revision: 1 });
    expect((await dispatch.pool.query('select from reservations')).rowCount).toBe(0);
    expect(await gaps()).toEqual({ skipped: type === 'TaskHeld' ? 1 : 2 });
  });

  it('given a transaction whose last append was skipped, when rows are compared with the log, then none shows a part of it', async () => {
    const [task] = await dispatch.enqueue('mail', [{}]);
    const paused = { type: 'QueuePaused', version: 2, data: { queue: 'mail', by: 'ann', reason: 'r', until: null } };
    const held = { type: 'TaskHeld', version: 1, data: { queue: 'mail', by: 'ann', reason: null } };
    const statusOf = async (): Promise<object> => (await dispatch.pool.query('select status from queues')).rows;
    skip('TaskHeld');
    await dispatch.store.append([item(queueStream('mail'), 0, [paused]), item(taskStream(task!), 0, [held])], {
      atomic: true,
    });
    await appendAnother();
    await new PostgresIndexRows(dispatch.pool, dispatch.store, dispatch.wakeUps).mend([queueStream('mail')]);
    expect(await statusOf()).toEqual([{ status: 'active' }]);
    await cleanOverdue();
    expect(await statusOf()).toEqual([{ status: 'paused' }]);
    expect(await rowOf(task!)).toEqual({ state: 'held', revision: 1 });
    expect((await dispatch.pool.query('select from mended_rows')).rowCount).toBe(0);
  });

  it.each(['TaskEnqueued', 'TaskClaimed', 'TaskSucceeded'])(
    'applies a doubled %s once, and counts it',
    async (type) => {
      dispatch.server!.faults.repeatEvent(ofType(type));
      const [taskId] = await dispatch.enqueue('mail', [{}]);
      await dispatch.settle(await dispatch.claim('mail'));
      await passed();
      expect(await rowOf(taskId!)).toEqual({ state: 'succeeded', revision: 2 });
      await until('it to be counted', async () => ('doubled' in (await gaps()) ? true : null));
      expect(await gaps()).toEqual({ doubled: 1 });
      expect(told()).toEqual([expect.stringContaining('came again; left out')]);
    },
  );

  it('given a read model that missed the event, too, when the index has found it, then the model is built anew', async () => {
    const { pool, store } = dispatch;
    const [leaders, progress] = [new Leaders(pool), new Progress()];
    const consumer = new ProjectionConsumer(queueStats as never, pool, new Rebuild(store, pool, leaders));
    const model = new Follower(consumer, { pool, feed: new LogFeed(store), leaders, progress });
    model.start();
    const pending = async (): Promise<number | null> => {
      const { rows } = await pool.query<{ pending: string }>(`select pending from queue_stats where queue = 'mail'`);
      return rows[0] ? Number(rows[0].pending) : null;
    };
    await dispatch.enqueue('mail', [{}]);
    await until('the model to follow', async () => ((await pending()) === 1 ? true : null));
    await enqueueSkipped(2);
    await until('the model to pass it', async () => (dispatch.server!.faults.unsent === 0 ? true : null));
    await cleanOverdue();
    await appendAnother();
    await until('the model to be built anew', async () => ((await pending()) === 2 ? true : null));
    await model.stop();
    await leaders.close();
  });

  it('given gaps of both kinds, then they add up, and only what was skipped has the given read models built anew', async () => {
    const { pool } = dispatch;
    const found = async (...kinds: string[]): Promise<readonly object[]> => {
      await pool.query('select waybill_count_gaps($1, $2)', [kinds, ['model']]);
      const { rows } = await pool.query(
        `select name, slot from projection_checkpoints where version = 0 order by name, slot`,
      );
      return rows;
    };
    await pool.query(
      `insert into projection_checkpoints (name, slot, version, position, status)
       select name, slot, 7, 0, 'running' from (values ('model', 'live'), ('model', 'shadow'), ('other', 'live')) v(name, slot)`,
    );
    expect(await found('doubled')).toEqual([]);
    expect(await found('skipped', 'skipped')).toEqual([{ name: 'model', slot: 'live' }]);
    await found('skipped', 'doubled');
    expect(await gaps()).toEqual({ doubled: 2, skipped: 3 });
  });

  it('given a task that has left for the archive, when the log is compared, then it is not missed', async () => {
    const [taskId] = await dispatch.enqueue('mail', [{}]);
    await dispatch.settle(await dispatch.claim('mail'));
    const { pool } = dispatch;
    const [moved] = (await pool.query<{ moved: string }>(ARCHIVE, [taskId])).rows;
    expect(moved).toEqual({ moved: taskId });
    const read = jest.spyOn(dispatch.log, 'readStream');
    while (await dispatch.comparison.look());
    expect(read).not.toHaveBeenCalled();
  });

  describe('given a stream of which the index lacks much', () => {
    const [APPENDS, EVENTS] = [3, 400];
    const ranked = { type: 'TaskReprioritised', version: 1, data: { queue: 'mail', priority: 7, previous: 0 } };
    const LAST = { state: 'pending', revision: APPENDS * EVENTS };

    async function behind(): Promise<string> {
      const [task] = await dispatch.enqueue('mail', [{}]);
      for (let at = 0; at < LAST.revision; at++) skip('TaskReprioritised');
      for (let at = 0; at < LAST.revision; at += EVENTS)
        await dispatch.log.append([item(taskStream(task!), at, Array<typeof ranked>(EVENTS).fill(ranked))]);
      await appendAnother();
      expect(await rowOf(task!)).toEqual({ state: 'pending', revision: 0 });
      return task!;
    }

    const mostRead = async (read: jest.SpiedFunction<ReservedDispatch['log']['readStream']>): Promise<number> =>
      Math.max(
        ...(await Promise.all(read.mock.results.map(({ value }) => value as Promise<readonly unknown[]>))).map(
          (events) => events.length,
        ),
      );

    it('when the log is compared, then it is read and applied in pages', async () => {
      const task = await behind();
      const read = jest.spyOn(dispatch.log, 'readStream');
      await dispatch.comparison.look();
      expect(await rowOf(task)).toEqual(LAST);
      expect(await mostRead(read)).toBeLessThan(2 * EVENTS);
    });

    it('when its next event comes, then it is read and applied in pages', async () => {
      const task = await behind();
      const read = jest.spyOn(dispatch.log, 'readStream');
      await dispatch.log.append([item(taskStream(task), LAST.revision, [ranked])]);
      await passed();
      expect(await rowOf(task)).toEqual({ ...LAST, revision: LAST.revision + 1 });
      expect(await mostRead(read)).toBeLessThan(2 * EVENTS);
    });
  });

  it('given nothing missing, then no stream is read, and nothing is counted', async () => {
    const read = jest.spyOn(dispatch.log, 'readStream');
    await dispatch.enqueue('mail', [{}, {}, { key: 'k' }, { after: [] }]);
    await dispatch.settle(await dispatch.claim('mail', { max: 4 }));
    while (await dispatch.comparison.look());
    expect(read).not.toHaveBeenCalled();
    expect(await gaps()).toEqual({});
  });
});
