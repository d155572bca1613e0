import { externalLog } from '../../../src/infrastructure/eventstoredb/reservations/loaded-log.js';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { DEFAULT_POLICY } from '../../../src/domain/queue/queue.policy.js';
import { IndexRebuild } from '../../../src/infrastructure/dispatch-index/index-rebuild.js';
import { PostgresLeaseRepository } from '../../../src/infrastructure/dispatch-index/postgres-lease-repository.js';
import type { PostgresConnection } from '../../../src/infrastructure/database/postgres-pool.js';
import { batchDecider } from '../../../src/domain/batch/batch.decider.js';
import type { BatchCommand } from '../../../src/domain/batch/batch.commands.js';
import type { TriggerCommand } from '../../../src/domain/trigger/trigger.commands.js';
import { triggerDecider } from '../../../src/domain/trigger/trigger.decider.js';
import { triggerStream } from '../../../src/domain/trigger/trigger.stream.js';
import { type HoldCommand, holdDecider } from '../../../src/domain/hold/hold.decider.js';
import { holdStream } from '../../../src/domain/hold/hold.stream.js';
import { batchStream } from '../../../src/domain/batch/batch.stream.js';
import { type SystemCommand, systemDecider } from '../../../src/domain/system/system.decider.js';
import { DRAIN_STREAM } from '../../../src/domain/system/system.stream.js';
import { agree } from '../../support/agree.js';
import { CONTEXT, type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';
import { until } from '../../support/until.js';

const TABLES = [
  'queues',
  'tasks',
  'tasks_archive',
  'waiting',
  'key_failures',
  'prerequisites',
  'batches',
  'triggers',
  'holds',
  'system',
];
/** After a rebuild, claims begin at the front, as if every task had returned. */
const READY =
  'select t.queue, t.priority, t.seq, t.task_id, r.step from ready r join tasks t on t.queue = r.queue and t.priority = r.priority and t.seq between r.from_seq and r.to_seq';
/** An empty slot does not matter: the next task of its key uses or removes it. */
const SLOTS = 'select * from key_slots where coalesce(running, ready, waiting) is not null';
/** So small that histories continue across pages, and some are longer than a page. */
const PAGE_SIZE = { events: 3, bytes: 500 };
/** A lease's deadline starts anew, and all else is kept. */
const LEASES =
  'select token, task_id, queue, worker, server, secret, claim_id, lease_ms, cancel_requested from task_leases';

/**
 * Not due before the test ends: a task that became due meanwhile would be ready in one index and waiting in the other.
 */
const LATE_RETRY = {
  onFailure: 'retry',
  retry: {
    ...DEFAULT_POLICY.retry,
    backoff: { kind: 'fixed', baseMs: 3_600_000, factor: 1, capMs: 3_600_000, jitter: 'none' },
  },
} as const;

const AT_ONCE = { succeeded: 0, failed: 0, cancelled: 0, aborted: 0, superseded: 0, deleted: 0 };

interface Rebuilding {
  readonly dispatch: DispatchFixture;
  readonly rebuild: IndexRebuild;
  /** Resolves when the index has applied everything that was stored. */
  atRest(): Promise<unknown>;
}

/** An enqueue that is refused answers with the code. */
const isUuid = (answer: string): boolean => answer.includes('-');

/** Goes on where the other task stopped, which has the same reference. */
const copyOf = (task: string, batch: string) => ({
  batch,
  reference: 'r',
  steps: ['fetch', 'store'],
  rerunOf: { task, step: 'store', lastStep: 'fetch', data: { n: 1 } },
});

/** The number of lives between two rebuilds, each of which is of the whole log. */
const LIVES = 4;

const MODES: readonly { mode: string; rebuilds: number; open: () => Promise<Rebuilding> }[] = [
  {
    mode: 'in Postgres',
    rebuilds: 10,
    open: async () => {
      const dispatch = await openDispatch();
      return {
        dispatch,
        rebuild: new IndexRebuild(dispatch.pool, undefined, PAGE_SIZE),
        atRest: () => Promise.resolve(),
      };
    },
  },
  {
    mode: 'in EventStoreDB',
    rebuilds: 3,
    open: async () => {
      const dispatch = await openReservedDispatch();
      const { pool, log, index } = dispatch;
      const rebuild = new IndexRebuild(pool, externalLog({ id: 'test', log, reactions: [] }));
      return { dispatch, rebuild, atRest: async () => index.reached(await log.head(), 60_000) };
    },
  },
];

describe.each(MODES)('a rebuild of the index with the events $mode', ({ rebuilds, open }) => {
  let dispatch: DispatchFixture;
  let rebuild: IndexRebuild;
  let atRest: () => Promise<unknown>;
  let leases: PostgresLeaseRepository;
  beforeAll(async () => {
    ({ dispatch, rebuild, atRest } = await open());
    leases = new PostgresLeaseRepository(dispatch.pool);
  });
  afterAll(() => dispatch.close());

  async function index(): Promise<Record<string, unknown[]>> {
    const tables: Record<string, unknown[]> = {};
    for (const query of [
      ...TABLES.map((table) => `select to_jsonb(t) - 'lease' - 'task_ended' as row from ${table} t`),
      READY,
      SLOTS,
      LEASES,
    ]) {
      const { rows } = await dispatch.pool.query(`select to_jsonb(t) as row from (${query}) t order by 1`);
      tables[query] = rows.map(({ row }) => row as unknown);
    }
    return tables;
  }

  /** Starts a task whose key no other task has. */
  async function startOne(queue: string, more: { readonly key?: string }): Promise<string> {
    const id = uuidv7();
    const token = String(await leases.nextToken());
    const claim = { token, claimId: id, worker: 'w1', server: 's1', leaseMs: 600_000 };
    await dispatch.command(id, {
      type: 'StartTask',
      submission: { queue, kind: 'task', ...more, ...(more.key && { key: `${more.key} ${id}` }) },
      ...claim,
    } as never);
    return id;
  }

  /** Whatever the batch's tasks are. */
  const onBatch = (command: BatchCommand) =>
    dispatch.runner.run(batchDecider, { stream: batchStream(command.batch), command, load: 'whole' }, CONTEXT);

  /** What may happen to a trigger, in the order that the numbers give. */
  async function onTrigger(trigger: string, step: number): Promise<void> {
    const definition = {
      cron: '* * * * *',
      timeZone: 'UTC',
      description: `${step}`,
      missed: 'skip',
      task: { queue: 'q' },
    };
    const [from, next, at] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-01T00:00:01.000Z'];
    const firings = [{ occurrence: from, task: uuidv7() }];
    const commands = [
      { type: 'RecordFailure', from, problem: { code: 'QUEUE_FINISHED' }, at },
      { type: 'RecordFirings', from, firings, at, next },
      { type: 'DisableTrigger' },
      { type: 'DefineTrigger', definition, next: from },
    ];
    for (const command of [commands[3], commands[step % 4]]) {
      const work = {
        stream: triggerStream(trigger),
        command: { ...command, trigger } as TriggerCommand,
        load: 'whole',
      } as const;
      await dispatch.runner.run(triggerDecider, work, CONTEXT);
    }
  }

  async function onSystem(step: number): Promise<void> {
    const [running, stopped] = [step % 2 === 0 ? 'cancel' : 'finish', step % 4 === 0] as const;
    const drain = { intake: 'open', running } as const;
    const commands: readonly SystemCommand[] = [
      { type: 'DrainSystem', drain, now: '2026-01-01T00:00:00.000Z', by: 'x', reason: null },
      { type: 'ResumeSystem', stopped },
    ];
    // A system that drains gives out no tasks to move.
    for (const command of step % 3 === 0 ? commands : commands.slice(1))
      await dispatch.runner.run(systemDecider, { stream: DRAIN_STREAM, command, load: 'whole' }, CONTEXT);
  }

  /** Holds the labelled tasks of the queue, or lifts the hold. */
  async function onHold(queue: string, step: number): Promise<void> {
    const given = { hold: queue, now: '2026-01-01T00:00:00.000Z', by: 'x', mayErase: true };
    const command: HoldCommand =
      step % 3 === 0
        ? { ...given, type: 'LiftHold' }
        : { ...given, type: 'PlaceHold', selector: { labels: { queue } }, reason: step % 2 === 0 ? 'why' : null };
    await dispatch.runner.run(holdDecider, { stream: holdStream(queue), command, load: 'whole' }, CONTEXT);
  }

  /** A mixture of everything that moves tasks, in the order that the numbers give. */
  async function live(queue: string, steps: readonly number[]): Promise<void> {
    const ids: string[] = [];
    const batch = uuidv7();
    await onBatch({ type: 'CreateBatch', batch, now: '2026-01-01T00:00:00.000Z', facts: { name: 'b' } });
    for (const step of steps) {
      const [verb, other] = [step % 21, Math.floor(step / 21)];
      const id = ids[step % Math.max(1, ids.length)];
      if (verb < 3)
        ids.push(
          ...(await dispatch.enqueue(queue, [{ key: `k${step % 3}` }, { priority: step % 4, labels: { queue } }])),
        );
      else if (verb === 3)
        ids.push(...(await dispatch.enqueue(queue, [{ dueAt: '2999-01-01T00:00:00.000Z' }, { prepared: true }])));
      else if (verb === 4) await dispatch.claim(queue, { max: 1 + (step % 3) });
      else if (verb === 5) await dispatch.settle(await dispatch.claim(queue, { max: 2 }));
      else if (verb === 6)
        await dispatch.settle(await dispatch.claim(queue), { type: 'fail', error: { message: `no ${step}` } });
      else if (verb === 7 && other % 3 === 0)
        await dispatch.settle(await dispatch.claim(queue, { max: 2 }), {
          type: 'completeStep',
          step: 'fetch',
          then: other % 2 === 0 ? 'continue' : 'offer',
        });
      else if (verb === 7)
        await dispatch.settle(await dispatch.claim(queue), { type: other % 2 === 0 ? 'return' : 'cancel' });
      else if (verb === 15) ids.push(await startOne(queue, other % 2 === 0 ? { key: `started ${step}` } : {}));
      else if (id && verb === 8 && other % 3 === 0) await dispatch.command(id, { type: 'ReleaseTask' } as never);
      else if (id && verb === 8) await dispatch.command(id, { type: 'HoldTask', reason: null } as never);
      else if (id && verb === 9 && other % 2 === 0)
        await dispatch.command(id, { type: 'StopRun', reason: null } as never);
      else if (id && verb === 9) await dispatch.command(id, { type: 'CancelTask', reason: null } as never);
      else if (id && verb === 10)
        await dispatch.command(id, {
          type: 'RetryTask',
          step: other % 3 === 0 ? 'fetch' : null,
          override: true,
          heldBy: null,
        } as never);
      else if (id && verb === 11)
        ids.push(...(await dispatch.enqueue(queue, [{ after: [{ task: id }] }])).filter(isUuid));
      else if (id && verb === 12)
        await dispatch.command(id, {
          type: 'ChangePrerequisites',
          add: [{ task: ids[(step * 7) % ids.length]!, ...(other % 2 === 0 && { ignore: true }) }],
          waive: [ids[(step * 5) % ids.length]!],
        } as never);
      else if (id && verb === 13 && other % 3 === 0)
        await dispatch.command(id, { type: 'AbortTask', reason: null } as never);
      else if (id && verb === 14 && other % 3 === 0)
        ids.push(...(await dispatch.enqueue(queue, [copyOf(id, batch)])).filter(isUuid));
      else if (verb === 14)
        ids.push(...(await dispatch.enqueue(queue, [{ batch }, { batch, key: `k${step % 3}` }])).filter(isUuid));
      else if (verb === 16 && other % 3 === 0)
        await onBatch({ type: 'OpenBatch', batch, now: '2026-01-02T00:00:00.000Z', tasks: 1 });
      else if (verb === 17) await onTrigger(queue, other);
      else if (verb === 18) await onSystem(other);
      else if (verb === 19) await onHold(queue, other);
      else if (verb === 20) await dispatch.pool.query('select waybill_archive($1, 100)', [queue]);
      else if (id) await dispatch.command(id, { type: 'ReprioritiseTask', priority: step % 5 } as never);
    }
  }

  it('builds the same index as the appends, for any history', async () => {
    const policies = [
      {},
      { duplicatePending: 'allow' },
      { ...LATE_RETRY, pauseAfterFailures: 50 },
      { onFailure: 'decide' },
      { duplicatePending: 'allow', onKeyFailure: 'block' },
      { duplicatePending: 'allow', onKeyFailure: 'block', ...LATE_RETRY },
      { steps: ['fetch', 'store'] },
    ] as const;
    const life = fc.tuple(fc.nat({ max: 6 }), fc.array(fc.nat({ max: 10_000 }), { minLength: 5, maxLength: 40 }));
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: LIVES, maxLength: LIVES }), async (lived) => {
        for (const [policy, steps] of lived) {
          const queue = `q-${uuidv7()}`;
          await dispatch.define(queue, { ...policies[policy], retention: AT_ONCE });
          await live(queue, steps);
        }
        await atRest();
        const before = await index();
        await rebuild.run();
        agree(await index(), before);
      }),
      { numRuns: rebuilds, endOnFailure: true },
    );
  });

  it('counts running tasks as before', async () => {
    const queue = `q-${uuidv7()}`;
    await dispatch.define(queue, { maxRunning: 2 });
    await dispatch.enqueue(queue, [{}, {}, {}]);
    const [claimedTask] = await dispatch.claim(queue, { max: 2 });
    await rebuild.run();
    expect(await dispatch.ask(queue)).toMatchObject({ tasks: [], refusal: { code: 'QUEUE_FULL', running: 2 } });
    await dispatch.settle([claimedTask!]);
    expect(await dispatch.claim(queue)).toHaveLength(1);
  });

  it("keeps the workers' tokens valid, and continues above all earlier tokens", async () => {
    const queue = `q-${uuidv7()}`;
    await dispatch.define(queue);
    await dispatch.enqueue(queue, [{}, {}, {}, {}]);
    const claimedTask = (await dispatch.claim(queue, { max: 3 })).at(-1);
    await dispatch.pool.query("select setval('lease_tokens', 1)");
    expect(await rebuild.run()).toBeGreaterThan(0);
    expect(await dispatch.settle([claimedTask!])).toMatchObject([{ kind: 'done', state: 'succeeded' }]);
    const [later] = await dispatch.claim(queue);
    expect(Number(later!.token.split('.')[0])).toBeGreaterThan(Number(claimedTask!.token.split('.')[0]));
  });
});

describe('a rebuild of the index while the service works', () => {
  let dispatch: DispatchFixture;
  let rebuild: IndexRebuild;
  let queue: string;
  beforeAll(async () => {
    dispatch = await openDispatch();
    rebuild = new IndexRebuild(dispatch.pool);
  });
  afterAll(() => dispatch.close());
  beforeEach(() => {
    queue = `q-${uuidv7()}`;
  });

  /** Starts a rebuild. Resolves when it waits for a lock. */
  async function waitingRebuild(): Promise<{ readonly rebuilt: Promise<number> }> {
    const rebuilt = rebuild.run();
    rebuilt.catch(() => undefined);
    await until('the rebuild to wait for a lock', async () => {
      const { rows } = await dispatch.pool.query(
        `select 1 from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows.length > 0 ? true : null;
    });
    return { rebuilt };
  }

  /** Starts a rebuild after the next claim's pick. The claim continues when the rebuild waits. */
  function rebuildAmidAClaim(): Promise<number> {
    const { pool } = dispatch;
    const { connect } = pool;
    return new Promise((resolve) => {
      jest.spyOn(pool, 'connect').mockImplementationOnce(async () => {
        const connection = await connect.call(pool);
        const query: PostgresConnection['query'] = async (statement, values) => {
          const result = await connection.query(statement, values);
          if (typeof statement !== 'string' && statement.name === 'waybill_pick')
            resolve((await waitingRebuild()).rebuilt);
          return result;
        };
        return { ...connection, query };
      });
    });
  }

  it.each([
    ['a queue', {}],
    ['a counted queue', { maxRunning: 1 }],
  ])('waits for the claim of %s that is between its pick and its append', async (_, policy) => {
    await dispatch.define(queue, policy);
    const [taskId] = await dispatch.enqueue(queue, [{}]);
    const rebuilt = rebuildAmidAClaim();
    const [claimedTask] = await dispatch.claim(queue);
    expect(claimedTask).toMatchObject({ taskId });
    expect(await rebuilt).toBeGreaterThan(0);
    expect(await dispatch.settle([claimedTask!])).toMatchObject([{ kind: 'done', state: 'succeeded' }]);
  });

  it('releases its locks again and again during a long read', async () => {
    await dispatch.define(queue);
    const reader = await dispatch.pool.connect();
    await reader.query('begin; select from queues limit 1');
    const { rebuilt } = await waitingRebuild();
    await dispatch.enqueue(queue, [{}, {}]);
    const [claimedTask] = await dispatch.claim(queue);
    expect(await dispatch.settle([claimedTask!])).toMatchObject([{ kind: 'done' }]);
    await reader.query('commit');
    reader.release();
    await rebuilt;
    expect(await dispatch.claim(queue, { max: 5 })).toHaveLength(1);
  });
});

describe('a rebuild of the index from large events', () => {
  const MIB = 1024 * 1024;
  let dispatch: DispatchFixture;
  beforeAll(async () => {
    dispatch = await openDispatch();
  });
  afterAll(() => dispatch.close());

  /** The bytes of data that each query of the next connection answers with. */
  function watchAnswers(): number[] {
    const answers: number[] = [];
    const { connect } = dispatch.pool;
    jest.spyOn(dispatch.pool, 'connect').mockImplementationOnce(async () => {
      const connection = await connect.call(dispatch.pool);
      const query: PostgresConnection['query'] = async (statement, values) => {
        const result = await connection.query(statement, values);
        const rows = (result.rows ?? []) as { readonly data?: string }[];
        answers.push(rows.reduce((bytes, { data = '' }) => bytes + data.length, 0));
        return result;
      };
      return { ...connection, query };
    });
    return answers;
  }

  it('reads about 4 MiB at once, of tasks and of all else, and builds the same rows', async () => {
    const policy = { limits: { payloadBytes: MIB } };
    await dispatch.define('large', policy as never);
    await dispatch.enqueue(
      'large',
      Array.from({ length: 12 }, () => ({ payload: 'x'.repeat(MIB - 10) })),
    );
    for (let n = 0; n < 12; n++) {
      const task = { queue: 'large', payload: 'x'.repeat(MIB - 10) };
      const definition = { cron: '* * * * *', timeZone: 'UTC', description: `${n}`, missed: 'skip', task } as const;
      const command = { type: 'DefineTrigger', definition, next: `2026-01-01T00:00:${10 + n}.000Z`, trigger: 't' };
      await dispatch.runner.run(
        triggerDecider,
        { stream: triggerStream('t'), command: command as TriggerCommand, load: 'whole' },
        CONTEXT,
      );
    }
    const rows = async (): Promise<unknown> =>
      (
        await dispatch.pool.query(`select to_jsonb(t) as row, null as trigger from tasks t
          union all select null, to_jsonb(t) from triggers t order by 1, 2`)
      ).rows;
    const before = await rows();
    const answers = watchAnswers();
    expect(await new IndexRebuild(dispatch.pool).run()).toBe(12);
    expect(answers.reduce((sum, bytes) => sum + bytes)).toBeGreaterThan(24 * (MIB - 10));
    expect(Math.max(...answers)).toBeLessThan(5 * MIB);
    agree(await rows(), before);
  });
});
