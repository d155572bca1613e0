import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PolicyChanges, QueueHandle, RefusedItem, SettleVerdict } from '@waybill/client';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/infrastructure/database/data-source.js';
import { ENTITIES } from '../../../src/projections/read-models.js';
import { DecidedTasks } from '../../../src/projections/tasks/decided-tasks.js';
import { filtered, inOrder, type TaskFilter } from '../../../src/projections/tasks/list-tasks.query.js';
import { numbered } from '../../../src/projections/kernel/fragment.js';
import { lookupOf } from '../../../src/projections/tasks/search/lookups.js';
import { searchPlan } from '../../../src/projections/tasks/search/search-plan.js';
import { termsOf } from '../../../src/projections/tasks/search/terms-of.js';
import { TaskEntity } from '../../../src/projections/tasks/task.entity.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { sizeOf } from '../../support/sizes.js';
import { planAsInProduction } from '../../support/test-database.js';
import { until } from '../../support/until.js';

planAsInProduction();

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

let made = 0;
async function newQueue(policy: PolicyChanges): Promise<QueueHandle> {
  const queue = service.waybill.queue(`bots-${++made}`);
  await queue.define(policy);
  return queue;
}

const FAIL: SettleVerdict = { type: 'fail', error: { message: 'The supplier does not answer', class: 'transient' } };

async function claimNext(queue: QueueHandle) {
  const [claimed] = await queue.claim({ worker: 'robot-1', max: 1, waitMs: 30_000 });
  return claimed!;
}

async function settleNext(queue: QueueHandle, verdict: SettleVerdict): Promise<string> {
  const { taskId, token } = await claimNext(queue);
  await service.waybill.settle([{ taskId, token, verdict }]);
  return taskId;
}

/** One item in each state, with the state as its reference. */
async function oneOfEach(queue: QueueHandle): Promise<void> {
  const add = (reference: string) => queue.enqueue(null, { reference });
  const done = await add('DONE');
  expect(await settleNext(queue, { type: 'succeed' })).toBe(done.id);
  const failed = await add('FAILED');
  expect(await settleNext(queue, FAIL)).toBe(failed.id);
  await service.waybill.task((await add('DELETED')).id).delete();
  const running = await add('IN_PROGRESS');
  expect((await claimNext(queue)).taskId).toBe(running.id);
  await add('NEW');
}

const STATES = ['NEW', 'IN_PROGRESS', 'DONE', 'FAILED', 'DELETED'];

/** The references that are taken. */
async function taken(queue: QueueHandle): Promise<string[]> {
  const outcomes = await queue.enqueueMany(STATES.map((reference) => ({ reference })));
  return STATES.filter((_, at) => (outcomes[at] as Partial<RefusedItem>).problem?.code === 'REFERENCE_IN_USE');
}

describe('a unique reference', () => {
  it('S4-09 is taken by an item in any state with `always`', async () => {
    const queue = await newQueue({ uniqueReference: 'always' });
    await oneOfEach(queue);
    expect(await taken(queue)).toEqual(STATES);
  });

  it('S4-09 is free again after DONE and DELETED with `open`, and not after FAILED', async () => {
    const queue = await newQueue({ uniqueReference: 'open' });
    await oneOfEach(queue);
    expect(await taken(queue)).toEqual(['NEW', 'IN_PROGRESS', 'FAILED']);
  });
});

describe('an item that fails', () => {
  it('S4-22 is tried again by itself up to the limit, and every retry is counted', async () => {
    const backoff = { kind: 'fixed', baseMs: 0 } as const;
    const queue = await newQueue({ onFailure: 'retry', retry: { maxAttempts: 3, backoff } });
    const { id } = await queue.enqueue();
    for (const attempt of [1, 2, 3]) {
      expect(await settleNext(queue, FAIL)).toBe(id);
      const state = attempt < 3 ? 'pending' : 'failed';
      expect(await service.waybill.task(id).get()).toMatchObject({ state, attempt });
    }
    const history = await service.waybill.task(id).history();
    const counted = history.filter(({ type }) => type === 'TaskRetryScheduled').map(({ data }) => data);
    expect(counted).toMatchObject([{ failures: 1 }, { failures: 2 }]);
    const { total } = await queue.figures({ from: '1h', minPosition: history.at(-1)!.position });
    expect(total).toMatchObject({ claimed: 3, retried: 2, failed: { transient: 1 }, backlog: 0 });
  });

  it('S4-22 is counted again when a person retries it', async () => {
    const queue = await newQueue({ onFailure: 'fail' });
    const { id } = await queue.enqueue();
    await settleNext(queue, FAIL);
    const { position } = await service.waybill.task(id).retry();
    const { total } = await queue.figures({ from: '1h', minPosition: position });
    expect(total).toMatchObject({ retried: 1, failed: { transient: 1 }, backlog: 1 });
  });
});

describe('items by queue and status', () => {
  /** `ITEMS=1000000` repeats the proof with a million, which takes a minute or two. */
  const MANY = sizeOf(100_000, 20_000);

  let reading: DataSource;
  beforeAll(async () => {
    reading = await createDataSource(service.databaseUrl, ENTITIES).initialize();
  });
  afterAll(() => reading.destroy());

  it('S4-02 have fields of their own, and are found by an index among many', async () => {
    const queue = await newQueue({ leaseMs: 600_000 });
    const { id } = await queue.enqueue({ invoice: 1 }, { reference: 'INV-1', priority: 3 });
    const { taskId } = await claimNext(queue);
    expect(await service.waybill.task(id).get()).toMatchObject({
      id: taskId,
      queue: queue.name,
      reference: 'INV-1',
      state: 'running',
      priority: 3,
      payload: { invoice: 1 },
      result: null,
      error: null,
      attempt: 1,
      worker: 'robot-1',
      job: null,
      enqueuedAt: expect.any(String),
      startedAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    await queue.enqueue();
    await makeOthers((n) => `'archive-' || ${n} % 100`);
    for (const state of ['pending', 'running', 'failed', 'succeeded'] as const) {
      const { items } = await service.waybill.tasks.page({ queue: queue.name, state });
      expect(items.map((item) => item.id === id)).toEqual({ pending: [false], running: [true] }[state as string] ?? []);
      expect(await planOf({ queue: queue.name, state })).toMatch(BY_INDEX);
    }
  }, 300_000);

  it('S4-02 are found by an index also in a queue that has most items of all', async () => {
    const queue = await newQueue({ leaseMs: 600_000 });
    const { id } = await queue.enqueue();
    await claimNext(queue);
    await makeOthers(() => `'${queue.name}'`);
    for (const filter of [{ queue: queue.name, state: 'running' }, { state: 'running' }] as const) {
      const { items } = await service.waybill.tasks.page(filter);
      expect(items.map((item) => item.id)).toContain(id);
      expect(await planOf(filter)).toMatch(BY_INDEX);
    }
    for (const state of ['succeeded', 'failed'] as const)
      expect(await planOf({ queue: queue.name, state })).toMatch(BY_INDEX);
    for (const state of ['prepared', 'held', 'undecided', 'cancelled', 'aborted', 'superseded', 'deleted'] as const)
      for (const filter of [{ queue: queue.name, state }, { state }])
        expect(await planOf(filter)).toMatch(/Index (Only )?Scan (using|on) tasks_rare/);
    for (const filter of [{ queue: queue.name, step: 'checksum' }, { step: 'checksum' }])
      expect(await planOf(filter)).toMatch(/Index (Only )?Scan (using|on) tasks_step/);
  }, 300_000);

  it('S4-02 are found by an index while they wait in a queue of which most are done', async () => {
    const queue = await newQueue({ leaseMs: 600_000 });
    const enqueue = async (count: number, more = {}): Promise<string[]> => {
      const outcomes = await queue.enqueueMany(Array.from({ length: count }, () => ({ payload: null, ...more })));
      return outcomes.map((outcome) => ('problem' in outcome ? outcome.problem.detail : outcome.id));
    };
    const ids = [
      ...(await enqueue(150)),
      ...(await enqueue(2, { dueAt: '2100-01-01T00:00:00Z' })),
      ...(await enqueue(1, { key: 'k' })),
    ];
    const claimed = await queue.claim({ worker: 'robot-1', max: 70 });
    const pending = ids.filter((id) => claimed.every(({ taskId }) => taskId !== id));
    await makeOthers(() => `'${queue.name}'`);
    const listed: string[] = [];
    for await (const { id } of service.waybill.tasks.list({ queue: queue.name, state: 'pending' }, { limit: 50 }))
      listed.push(id);
    expect(listed).toEqual(pending.sort());
    for (const filter of [{ queue: queue.name, state: 'pending' }, { state: 'pending' }] as const)
      expect(await planOf(filter)).toMatch(/^(?!.*Seq Scan on tasks).*Index Cond: .*task_id = ANY/s);
  }, 300_000);

  it('S4-02 are listed while the event of their claim cannot be read', async () => {
    const queue = await newQueue({});
    const { id } = await queue.enqueue();
    await service.pool.query('delete from ready where queue = $1', [queue.name]);
    const parked = `insert into quarantined (task_id, position, error, parked, retry_at) values ($1, 0, 'unknown', true, 'infinity')`;
    await service.pool.query(parked, [id]);
    const { items } = await service.waybill.tasks.page({ queue: queue.name, state: 'pending' });
    expect(items.map((item) => item.id)).toEqual([id]);
    await service.pool.query('delete from quarantined where task_id = $1', [id]);
  });

  it('S4-02 are found in a state that few items reach, until they leave it', async () => {
    const queue = await newQueue({});
    const { id } = await queue.enqueue();
    const task = service.waybill.task(id);
    type State = NonNullable<TaskFilter['state']>;
    const listed = async (state: State) =>
      (await service.waybill.tasks.page({ queue: queue.name, state })).items.map((item) => item.id);
    const isIn = async (state: State, left: State): Promise<void> => {
      await until(`the item to be listed as ${state}`, async () => ((await listed(state)).length > 0 ? true : null));
      expect([await listed(state), await listed(left)]).toEqual([[id], []]);
    };
    await task.hold();
    await isIn('held', 'pending');
    await task.release();
    await isIn('pending', 'held');
    await task.cancel();
    await isIn('cancelled', 'pending');
    await task.retry();
    const { token } = await claimNext(queue);
    await service.waybill.settle([{ taskId: id, token, verdict: { type: 'succeed', result: null } }]);
    await isIn('succeeded', 'cancelled');
    await task.delete();
    await isIn('deleted', 'succeeded');
  });

  const BY_INDEX = /^(?!.*Seq Scan on tasks).*Index (Only )?Scan/s;

  /** Items that are done. `queue`: an expression that names the queue of the n-th. */
  async function makeOthers(queue: (n: string) => string): Promise<void> {
    await service.pool.query(
      `insert into tasks (task_id, queue, state, kind, priority, enqueued_at, finished_at, attempt, seq, position, revision)
       select gen_random_uuid(), ${queue('n')}, 'succeeded', 'task', 0, now(), now(), 1, 0, 0, 2
       from generate_series(1, ${MANY}) n`,
    );
    await service.pool.query('analyze tasks');
  }

  /** Of the statements that find and list them. */
  async function planOf(filter: TaskFilter): Promise<string> {
    const plan = await searchPlan(reading, new DecidedTasks({} as never), filter);
    const rows = filtered(reading.createQueryBuilder(TaskEntity, 't').select('t.taskId'), filter, plan);
    const terms = termsOf(filter);
    const lookups = terms
      .flatMap((term) => (term.field === 'queue' ? [] : (lookupOf(term, terms) ?? [])))
      .map(numbered);
    const explained = [
      ...(plan.among === null ? [] : lookups),
      inOrder(rows, filter).limit(101).getQueryAndParameters(),
    ];
    const lines: string[] = [];
    for (const [sql, values] of explained)
      for (const line of await reading.query<{ 'QUERY PLAN': string }[]>(`explain ${sql}`, [...values]))
        lines.push(line['QUERY PLAN']);
    return lines.join('\n');
  }
});
