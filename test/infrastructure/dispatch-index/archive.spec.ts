import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import type { QueuePolicy } from '../../../src/domain/queue/queue.policy.js';
import { ARCHIVABLE_STATES, KEEPS_ALL, type Retention } from '../../../src/domain/queue/retention.policy.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { LOG_LOCK } from '../../../src/infrastructure/database/locks.js';
import { Archiver } from '../../../src/infrastructure/sweeper/archiver.js';
import { DueQueues } from '../../../src/infrastructure/sweeper/due-queues.js';
import { FailingItems } from '../../../src/infrastructure/sweeper/failing-items.js';
import { type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';
import { until } from '../../support/until.js';

const AT_ONCE: Retention = { succeeded: 0, failed: 0, cancelled: 0, aborted: 0, superseded: 0, deleted: 0 };

interface Archiving {
  readonly dispatch: DispatchFixture;
  /** Resolves when the index has applied everything that was stored. */
  atRest(): Promise<unknown>;
}

const MODES: readonly { mode: string; open: () => Promise<Archiving> }[] = [
  {
    mode: 'in Postgres',
    open: async () => ({ dispatch: await openDispatch(), atRest: () => Promise.resolve() }),
  },
  {
    mode: 'in EventStoreDB',
    open: async () => {
      const dispatch = await openReservedDispatch();
      return { dispatch, atRest: async () => dispatch.index.reached(await dispatch.log.head(), 60_000) };
    },
  },
];

describe.each(MODES)('the archive, with the events $mode', ({ open }) => {
  let dispatch: DispatchFixture;
  let atRest: () => Promise<unknown>;
  let queue: string;
  beforeAll(async () => {
    ({ dispatch, atRest } = await open());
  });
  afterAll(() => dispatch.close());
  beforeEach(() => {
    queue = `q-${uuidv7()}`;
  });

  const define = (policy: Partial<QueuePolicy> = {}) => dispatch.define(queue, { retention: AT_ONCE, ...policy });

  async function archive(): Promise<void> {
    await atRest();
    const archiver = new Archiver(dispatch.pool, new FailingItems(dispatch.pool));
    await dispatch.pool.query(`update archives set ended_at = '-infinity'`);
    while (await archiver.archiveSome());
  }

  async function ended(verdict: 'succeed' | 'fail', more: object = {}): Promise<string> {
    const [id] = await dispatch.enqueue(queue, [more]);
    const claimed = await dispatch.claim(queue);
    expect(claimed.map(({ taskId }) => taskId)).toEqual([id]);
    await dispatch.settle(claimed, verdict === 'fail' ? { type: 'fail', error: { message: 'no' } } : undefined);
    return id!;
  }

  /** The state of a task in the lists, in the archive, or null. */
  async function placeOf(id: string): Promise<string | null> {
    const { rows } = await dispatch.pool.query<{ place: string }>(
      `select case when archived_at is null then 'listed' else 'archived' end || ' ' || state as place from known_tasks where task_id = $1`,
      [id],
    );
    expect(rows.length).toBeLessThan(2);
    return rows[0]?.place ?? null;
  }

  const retry = (id: string) =>
    dispatch.command(id, { type: 'RetryTask', step: null, override: true, heldBy: null } as never);

  const historyOf = async (id: string) =>
    (await dispatch.store.readStreams([taskStream(id)]))[0]!.map(({ event }) => event.type);

  it('takes tasks in every state that the policy names, and no other', async () => {
    await define();
    const succeeded = await ended('succeed');
    const failed = await ended('fail');
    const others = await dispatch.enqueue(queue, [{}, {}, {}, {}, {}]);
    const [cancelled, aborted, deleted, , held] = others as [string, string, string, string, string];
    for (const [id, type] of [
      [cancelled, 'CancelTask'],
      [aborted, 'AbortTask'],
      [deleted, 'DeleteTask'],
      [held, 'HoldTask'],
    ] as const)
      expect(await dispatch.command(id, { type, reason: null } as never)).toBe('accepted');
    const [running] = await dispatch.claim(queue);
    await archive();
    for (const [id, state] of Object.entries({
      [succeeded]: 'archived succeeded',
      [failed]: 'archived failed',
      [cancelled]: 'archived cancelled',
      [aborted]: 'archived aborted',
      [deleted]: 'archived deleted',
      [held]: 'listed held',
      [running!.taskId]: 'listed running',
    }))
      expect(`${id} ${await placeOf(id)}`).toBe(`${id} ${state}`);
  });

  it.each(ARCHIVABLE_STATES)(
    'leaves tasks in the lists that are %s if the policy does not name this state',
    async (state) => {
      await define({ retention: { ...AT_ONCE, [state]: null } });
      const { rows } = await dispatch.pool.query('select retains from queues where name = $1', [queue]);
      expect(rows).toEqual([{ retains: true }]);
      const id = await ended(state === 'failed' ? 'fail' : 'succeed');
      if (state !== 'failed') await dispatch.pool.query('update tasks set state = $2 where task_id = $1', [id, state]);
      await archive();
      expect(await placeOf(id)).toBe(`listed ${state}`);
      await dispatch.pool.query('delete from tasks where task_id = $1', [id]);
    },
  );

  it('leaves tasks that have not been over for long enough, and all of queues without retention', async () => {
    await define({ retention: { ...KEEPS_ALL, succeeded: 2 } });
    const [young, old] = [await ended('succeed'), await ended('succeed')];
    await dispatch.pool.query(
      `update tasks set finished_at = now() - case task_id when $1 then interval '47 hours' else interval '49 hours' end where task_id in ($1, $2)`,
      [young, old],
    );
    const first = queue;
    queue = `q-${uuidv7()}`;
    await dispatch.define(queue);
    const kept = await ended('succeed');
    await archive();
    expect([await placeOf(young), await placeOf(old), await placeOf(kept)]).toEqual([
      'listed succeeded',
      'archived succeeded',
      'listed succeeded',
    ]);
    expect(first).not.toBe(queue);
  });

  it('keeps histories, ids and references', async () => {
    await define({ uniqueReference: 'always' });
    const id = await ended('succeed', { reference: 'r1' });
    const history = await historyOf(id);
    await archive();
    expect(await placeOf(id)).toBe('archived succeeded');
    expect(await historyOf(id)).toEqual(history);
    expect(history.at(-1)).toBe('TaskSucceeded');
    expect(await dispatch.enqueue(queue, [{ reference: 'r1' }])).toEqual(['REFERENCE_IN_USE']);
    expect(await dispatch.enqueue(queue, [{ taskId: id, kind: 'other' }])).toEqual([
      expect.stringMatching(/TAKEN|EXISTS|ILLEGAL/),
    ]);
    expect(await placeOf(id)).toBe('archived succeeded');
  });

  it('satisfies prerequisites with what succeeded, and lets tasks wait for what may be retried', async () => {
    await define();
    const [done, failed] = [await ended('succeed'), await ended('fail')];
    await archive();
    const [free] = await dispatch.enqueue(queue, [{ after: [{ task: done }] }]);
    const [waiting] = await dispatch.enqueue(queue, [{ after: [{ task: failed }] }]);
    const [claimed, none] = await dispatch.claim(queue, { max: 2 });
    expect([claimed?.taskId, none]).toEqual([free, undefined]);
    expect(await retry(failed)).toBe('accepted');
    await dispatch.settle(await dispatch.claim(queue));
    expect(await placeOf(failed)).toBe('listed succeeded');
    expect((await dispatch.claim(queue)).map(({ taskId }) => taskId)).toEqual([waiting]);
  });

  it('gives tasks back to the commands that change them, with their whole history', async () => {
    await define();
    const id = await ended('fail', { key: 'k' });
    await archive();
    expect(await placeOf(id)).toBe('archived failed');
    expect(await retry(id)).toBe('accepted');
    expect(await placeOf(id)).toBe('listed pending');
    await dispatch.settle(await dispatch.claim(queue));
    expect(await historyOf(id)).toEqual([
      'TaskEnqueued',
      'TaskClaimed',
      'TaskAttemptFailed',
      'TaskFailed',
      'TaskRetried',
      'TaskClaimed',
      'TaskSucceeded',
    ]);
    await archive();
    expect(await placeOf(id)).toBe('archived succeeded');
    const { rows } = await dispatch.pool.query('select tasks from archives where queue = $1', [queue]);
    expect(rows).toEqual([{ tasks: '1' }]);
  });

  it('leaves the tasks that others wait for, that block their key, and of batches that are not over', async () => {
    await define({ duplicatePending: 'allow', onKeyFailure: 'block' });
    const failed = await ended('fail', { key: 'k' });
    const needed = await ended('fail');
    await dispatch.enqueue(queue, [{ after: [{ task: needed }] }]);
    await archive();
    expect([await placeOf(failed), await placeOf(needed)]).toEqual(['listed failed', 'listed failed']);
  });

  it('leaves a task that changes after its row was copied', async () => {
    await define();
    const [changed, other] = [await ended('succeed'), await ended('succeed')];
    await atRest();
    const appending = await dispatch.pool.connect();
    await appending.query(`begin; select pg_advisory_xact_lock(${LOG_LOCK})`);
    const archived = archive();
    await until('the copies to be made', async () => {
      const { rows } = await dispatch.pool.query(
        `select from pg_stat_activity where wait_event = 'advisory' and query like '%waybill_archive%' and datname = current_database()`,
      );
      return rows.length > 0 ? true : null;
    });
    await appending.query(`update tasks set awaited = true where task_id = '${changed}'; commit`);
    appending.release();
    await archived;
    expect([await placeOf(changed), await placeOf(other)]).toEqual(['listed succeeded', 'archived succeeded']);
    await archive();
    expect(await placeOf(changed)).toBe('archived succeeded');
  });

  it('does again what a crash has undone', async () => {
    await define();
    const id = await ended('succeed');
    await atRest();
    const crashing = await dispatch.pool.connect();
    await crashing.query('begin');
    await crashing.query(`select waybill_archive('${queue}', 10)`);
    await crashing.query('rollback');
    crashing.release();
    expect(await placeOf(id)).toBe('listed succeeded');
    await archive();
    expect(await placeOf(id)).toBe('archived succeeded');
  });

  it('moves a task once if two sweepers look at it at once', async () => {
    await define();
    const id = await ended('succeed');
    await atRest();
    const first = await dispatch.pool.connect();
    await first.query('begin');
    await first.query('select waybill_archive($1, 10)', [queue]);
    const second = dispatch.pool.query('select moved from waybill_archive($1, 10)', [queue]);
    await until('the second to wait', async () => {
      const { rows } = await dispatch.pool.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like 'select moved from waybill_archive%' and datname = current_database()`,
      );
      return rows.length > 0 ? true : null;
    });
    await first.query('commit');
    first.release();
    expect((await second).rows).toEqual([{ moved: 0 }]);
    expect(await placeOf(id)).toBe('archived succeeded');
    const { rows } = await dispatch.pool.query('select tasks from archives where queue = $1', [queue]);
    expect(rows).toEqual([{ tasks: '1' }]);
  });

  it('pauses a queue for failures of tasks that are in the archive', async () => {
    await define({ pauseAfterFailures: 1 });
    const taskId = await ended('fail');
    await archive();
    expect(await placeOf(taskId)).toBe('archived failed');
    expect(await new DueQueues(dispatch.pool).find(10)).toContainEqual(
      expect.objectContaining({ name: queue, cause: 'failures', failure: expect.objectContaining({ taskId }) }),
    );
  });

  it('begins anew when the policy changes, and else waits', async () => {
    await dispatch.define(queue, { retention: { ...KEEPS_ALL, failed: 1 } });
    const id = await ended('succeed');
    const archiver = new Archiver(dispatch.pool, new FailingItems(dispatch.pool));
    await atRest();
    await archiver.archiveSome();
    expect(await placeOf(id)).toBe('listed succeeded');
    await dispatch.changePolicy(queue, { retention: AT_ONCE });
    await atRest();
    await archiver.archiveSome();
    expect(await placeOf(id)).toBe('archived succeeded');
    const later = await ended('succeed');
    await atRest();
    await archiver.archiveSome();
    expect(await placeOf(later)).toBe('listed succeeded');
  });
});
