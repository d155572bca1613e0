import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import {
  type Recollection,
  type RecordedEvent,
  recollected,
} from '../../../src/application/kernel/event-store.port.js';
import { eventsWith } from '../../../src/domain/events.js';
import { taskIdOf, taskStream } from '../../../src/domain/task/task.stream.js';
import { IndexRebuild } from '../../../src/infrastructure/dispatch-index/index-rebuild.js';
import { externalLog } from '../../../src/infrastructure/eventstoredb/reservations/loaded-log.js';
import { isMarked, keptHistory } from '../../../src/infrastructure/eventstoredb/reservations/open-history.js';
import { attempts } from '../../projections/random-history.js';
import { openReservedDispatch, reservedDispatchOn, type ReservedDispatch } from '../../support/dispatch-fixture.js';
import { defineQueue, item } from '../../support/events.js';
import { appendHistory } from '../projection-engine/append-history.js';

const TASKS = 20;
const FINAL = ['succeeded', 'cancelled', 'aborted', 'superseded', 'deleted'];

describe('the histories of open tasks', () => {
  let dispatch: ReservedDispatch;
  let queue: string;
  let lost: string;

  beforeAll(async () => {
    dispatch = await openReservedDispatch();
  });
  afterAll(() => dispatch.close());
  beforeEach(async () => {
    queue = `q-${uuidv7()}`;
    await dispatch.define(queue);
  });

  /** The streams of tasks that are read while `work` runs. */
  async function readDuring(work: () => Promise<unknown>): Promise<readonly string[]> {
    const spy = jest.spyOn(dispatch.log, 'readFirst');
    try {
      await work();
      return spy.mock.calls.flatMap(([streams]) => streams).filter((stream) => stream.startsWith('task-'));
    } finally {
      spy.mockRestore();
    }
  }

  async function failedTasks(): Promise<readonly string[]> {
    await dispatch.changePolicy(queue, { onFailure: 'fail' });
    await dispatch.enqueue(queue, [{}, {}]);
    const claimed = await dispatch.claim(queue, { max: 2 });
    await dispatch.settle(claimed, { type: 'fail', error: { message: 'the disk is full' } });
    return claimed.map(({ taskId }) => taskId);
  }

  async function stored(): Promise<ReadonlyMap<string, string>> {
    const { rows } = await dispatch.pool.query<{ task_id: string; events: string }>('select * from open_histories');
    return new Map(rows.map(({ task_id: task, events }) => [task, events]));
  }

  const contentOf = ({ event, recordedAt }: Pick<RecordedEvent, 'event' | 'recordedAt'>) => ({ event, recordedAt });

  /** Of the tasks that have not ended, as their streams have them. */
  async function recorded(): Promise<Map<string, object[]>> {
    const { rows } = await dispatch.pool.query<{ task_id: string }>(
      'select task_id from tasks where state <> all ($1) order by task_id',
      [FINAL],
    );
    const streams = await dispatch.log.readStreams(rows.map(({ task_id: task }) => taskStream(task)));
    return new Map(rows.map(({ task_id: task }, at) => [task, streams[at]!.filter(isNoFence).map(contentOf)]));
  }

  const parsed = (histories: ReadonlyMap<string, string>): Map<string, object[]> =>
    new Map(
      [...histories].sort().map(([task, events]) => [task, keptHistory(events).filter(isNoFence).map(contentOf)]),
    );

  /** What the index has at hand of these streams, for which it reads none. */
  async function recalled(streams: readonly string[]): Promise<readonly Recollection[]> {
    const found: Recollection[] = [];
    const read = await readDuring(async () => void found.push(...(await dispatch.store.recall(streams))));
    expect(read).toEqual([]);
    return found.map(withoutFences);
  }

  async function recollections(streams: readonly string[]): Promise<readonly Recollection[]> {
    return (await dispatch.log.readStreams(streams)).map(recollected).map(withoutFences);
  }

  it('given tasks that were enqueued, when they are claimed and settled, then no stream is read', async () => {
    await dispatch.enqueue(
      queue,
      Array.from({ length: TASKS }, () => ({ payload: { text: 'two\nlines' } })),
    );
    const read = await readDuring(async () => {
      const claimed = await dispatch.claim(queue, { max: TASKS });
      expect(claimed.map(({ payload }) => payload)).toEqual(Array(TASKS).fill({ text: 'two\nlines' }));
      expect(await dispatch.settle(claimed)).toEqual(Array(TASKS).fill(expect.objectContaining({ kind: 'done' })));
    });
    expect(read).toEqual([]);
  });

  it('given tasks that came back, when they are claimed and settled again, then no stream is read', async () => {
    await dispatch.enqueue(
      queue,
      Array.from({ length: TASKS }, () => ({})),
    );
    const read = await readDuring(async () => {
      await dispatch.settle(await dispatch.claim(queue, { max: TASKS }), { type: 'return' });
      const again = await dispatch.claim(queue, { max: TASKS });
      expect(await dispatch.settle(again)).toHaveLength(TASKS);
    });
    expect(read).toEqual([]);
  });

  it('given tasks that another process claimed, when this one settles them, then no stream is read', async () => {
    await dispatch.enqueue(
      queue,
      Array.from({ length: TASKS }, () => ({})),
    );
    const claimed = await reservedDispatchOn(dispatch).claim(queue, { max: TASKS });
    const read = await readDuring(async () => {
      expect(await dispatch.settle(claimed)).toEqual(Array(TASKS).fill(expect.objectContaining({ kind: 'done' })));
    });
    expect(read).toEqual([]);
  });

  it('given failed tasks, when a person retries them, then no stream is read', async () => {
    await dispatch.changePolicy(queue, { onFailure: 'fail' });
    await dispatch.enqueue(
      queue,
      Array.from({ length: TASKS }, () => ({})),
    );
    const claimed = await dispatch.claim(queue, { max: TASKS });
    await dispatch.settle(claimed, { type: 'fail', error: { message: 'the disk is full' } });
    const read = await readDuring(async () => {
      for (const { taskId } of claimed)
        expect(await dispatch.command(taskId, { type: 'RetryTask', step: null, override: false } as never)).toBe(
          'accepted',
        );
    });
    expect(read).toEqual([]);
  });

  it('given retried tasks, when it is asked what was done to them, then no stream is read, and the retry has its place', async () => {
    const failed = await failedTasks();
    for (const task of failed)
      await dispatch.command(task, { type: 'RetryTask', step: null, override: false } as never);
    const streams = failed.map(taskStream);
    const [found] = await recalled(streams);
    const [whole] = await recollections(streams);
    expect(found).toEqual(masked(whole!));
    expect(found!.events.at(-1)).toEqual(whole!.events.at(-1));
  });

  /** What a command that can be undone ends them with. */
  async function ended(type: 'AbortTask' | 'CancelTask' | 'DeleteTask', payload = 'x'): Promise<readonly string[]> {
    const tasks = await dispatch.enqueue(queue, [{ payload }, { payload }]);
    for (const task of tasks) expect(await dispatch.command(task!, { type } as never)).toBe('accepted');
    return tasks.map((task) => taskStream(task!));
  }

  it.each(['AbortTask', 'CancelTask', 'DeleteTask'] as const)(
    'given %s on tasks, when it is asked what was done to them, then no stream is read',
    async (type) => {
      const streams = await ended(type);
      expect(await recalled(streams)).toEqual((await recollections(streams)).map(masked));
    },
  );

  it('given aborted tasks, when they are deleted, then their histories go on, and no stream is read', async () => {
    const streams = await ended('AbortTask');
    for (const stream of streams) await dispatch.command(taskIdOf(stream), { type: 'DeleteTask' } as never);
    const found = await recalled(streams);
    expect(found).toEqual((await recollections(streams)).map(masked));
    expect(found.map(({ events }) => events.at(-1)!.event.type)).toEqual(['TaskDeleted', 'TaskDeleted']);
  });

  it('given cancelled tasks, when they are retried, then they are claimed without a read', async () => {
    const streams = await ended('CancelTask');
    const tasks = streams.map(taskIdOf);
    const read = await readDuring(async () => {
      for (const task of tasks)
        await dispatch.command(task, { type: 'RetryTask', step: null, override: false } as never);
      expect((await dispatch.claim(queue, { max: 2 })).map(({ taskId }) => taskId).sort()).toEqual([...tasks].sort());
    });
    expect(read).toEqual([]);
    const { rows } = await dispatch.pool.query('select from ended_histories where task_id = any ($1)', [tasks]);
    expect(rows).toEqual([]);
  });

  it('given tasks that succeeded, or that were aborted with a long history, then nothing is kept of them', async () => {
    const streams = await ended('AbortTask', 'x'.repeat(16_384));
    await dispatch.enqueue(queue, [{}]);
    const claimed = await dispatch.claim(queue);
    await dispatch.settle(claimed);
    const gone = [...streams, taskStream(claimed[0]!.taskId)];
    const read = await readDuring(async () => void (await dispatch.store.recall(gone)));
    expect([...read].sort()).toEqual([...gone].sort());
    const { rows } = await dispatch.pool.query(
      'select task_id from open_histories where task_id = any ($1) union all select task_id from ended_histories where task_id = any ($1)',
      [gone.map(taskIdOf)],
    );
    expect(rows).toEqual([]);
  });

  it('given a history that an earlier build kept, when it is asked what was done, then its stream is read', async () => {
    const [task] = await failedTasks();
    await dispatch.command(task!, { type: 'RetryTask', step: null, override: false } as never);
    const unmarked = `regexp_replace(events, ',"position":"[0-9]+","for":"[^"]*"', '', 'g')`;
    await dispatch.pool.query(`update open_histories set events = ${unmarked} where task_id = $1`, [task]);
    const read = await readDuring(async () => {
      expect(await dispatch.store.recall([taskStream(task!)])).toEqual(await recollections([taskStream(task!)]));
    });
    expect(read).toContain(taskStream(task!));
  });

  it('given an index without a history, when the task is claimed, then its stream is read', async () => {
    const [taskId] = await dispatch.enqueue(queue, [{ payload: 'kept' }]);
    lost = taskId!;
    await dispatch.pool.query('delete from open_histories where task_id = $1', [taskId]);
    const read = await readDuring(async () => {
      expect(await dispatch.claim(queue)).toMatchObject([{ taskId, payload: 'kept' }]);
    });
    expect(read).toEqual([taskStream(taskId!)]);
  });

  it('given a fence in the place of the first event, when the task is enqueued after it, then it is claimed without a read', async () => {
    const taskId = uuidv7();
    const fence = { type: 'TaskReservationAbandoned' as const, version: 1 as const, data: { queue } };
    await dispatch.log.append([item(taskStream(taskId), -1, [fence])]);
    await dispatch.enqueue(queue, [{ taskId, payload: 'late' }]);
    const read = await readDuring(async () => {
      expect(await dispatch.claim(queue)).toMatchObject([{ taskId, payload: 'late' }]);
    });
    expect(read).toEqual([]);
  });

  it('given a settled task in an index that lags behind, when it is settled again, then the refusal is read from the stream', async () => {
    await dispatch.enqueue(queue, [{}]);
    const claimed = await dispatch.claim(queue);
    await dispatch.follower.stop();
    expect(await dispatch.settle(claimed)).toMatchObject([{ kind: 'done' }]);
    const other = reservedDispatchOn(dispatch);
    const read = await readDuring(async () => {
      expect(await other.settle(claimed, { type: 'return' })).not.toMatchObject([{ kind: 'done' }]);
    });
    expect(read).not.toEqual([]);
    dispatch.follower.start();
  });

  it('given any lives, when the index has applied them, then each history it kept is that of an open task', async () => {
    await dispatch.store.append([defineQueue('mail'), defineQueue('scan')]);
    for (const attempted of fc.sample(attempts(), 8)) await appendHistory(dispatch.store, attempted);
    const [kept, open] = [parsed(await stored()), await recorded()];
    expect(kept.size).toBeGreaterThan(0);
    for (const [task, history] of kept) expect([task, history]).toEqual([task, open.get(task)]);
    // Nothing is kept of a task that ended and was retried: claims read its stream.
    for (const [task, history] of open) if (!kept.has(task)) expect(history.some(endsTask) || task === lost).toBe(true);
  });

  it('given those lives, when the index is rebuilt, then it has the history of every open task', async () => {
    await new IndexRebuild(dispatch.pool, externalLog({ id: 'the store', log: dispatch.log, reactions: [] })).run();
    expect(parsed(await stored())).toEqual(await recorded());
  });

  it('given that index, when it is asked what was done to open tasks, then it says it as their streams do', async () => {
    const streams = [...(await stored()).keys()].map(taskStream);
    expect(streams.length).toBeGreaterThan(0);
    expect(await recalled(streams)).toEqual((await recollections(streams)).map(masked));
  });
});

const withoutFences = (one: Recollection): Recollection => ({ ...one, events: one.events.filter(isNoFence) });

/** As the index keeps it: of the events of plain lives, it leaves out what nobody asks for. */
const masked = (one: Recollection): Recollection => ({
  ...one,
  events: one.events.map((recalled) =>
    isMarked(recalled.event.type) ? recalled : { ...recalled, position: null, correlationId: null },
  ),
});

const ENDS_TASK = eventsWith('ends-task');

const endsTask = (recorded: object): boolean => ENDS_TASK.has((recorded as RecordedEvent).event.type);

/** A fence changes nothing, and the index need not keep one from before the task. */
const isNoFence = ({ event }: Pick<RecordedEvent, 'event'>): boolean => event.type !== 'TaskReservationAbandoned';
