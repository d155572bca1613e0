import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { LeaseExpiry } from '../../../src/application/claims/lease-expiry.js';
import type { ClaimedTask } from '../../../src/application/claims/claim-source.port.js';
import type { Verdict } from '../../../src/application/claims/settle-tasks.handler.js';
import { QueueDirectory } from '../../../src/application/kernel/queue-directory.js';
import { PostgresLeaseRepository } from '../../../src/infrastructure/dispatch-index/postgres-lease-repository.js';
import { type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';
import { openFollowedDispatch } from '../../support/followed-dispatch.js';
import { until } from '../../support/until.js';
import { passLease } from '../../support/leases.js';

const LEASE_MS = 60_000;
const BY = { actor: 'tester', correlationId: 'test' };

/** A lease in a table with one row per task. */
interface PlainLease {
  readonly task: ClaimedTask;
  readonly claimId: string;
  cancelRequested: boolean;
  overdue: boolean;
  unheard: boolean;
}

/** Numbers select among the standing leases. */
type Step =
  | { readonly kind: 'claim'; readonly max: number }
  | { readonly kind: 'extend' | 'settle' | 'return' | 'expire'; readonly which: readonly number[] }
  | { readonly kind: 'extendAll' | 'repeat' | 'cancel' | 'pass'; readonly which: readonly number[] };

/** Extends a part of an overdue claim. */
const BEGINNING: readonly Step[] = [
  { kind: 'claim', max: 12 },
  { kind: 'pass', which: [0] },
  { kind: 'extend', which: [1, 5] },
];

const which = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 8 });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('claim' as const), max: fc.integer({ min: 1, max: 12 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('extend', 'settle', 'return', 'expire', 'extendAll', 'repeat', 'cancel', 'pass'),
      which,
    }),
  },
);

class Lived {
  private readonly leases = new Map<string, PlainLease>();
  private readonly claimIds: string[] = [];
  private readonly extension: PostgresLeaseRepository;
  private readonly expiry: LeaseExpiry;

  constructor(
    private readonly dispatch: DispatchFixture,
    private readonly queue: string,
  ) {
    this.extension = new PostgresLeaseRepository(dispatch.pool);
    this.expiry = new LeaseExpiry(dispatch.runner, dispatch.clock, new QueueDirectory(dispatch.store));
  }

  async take(one: Step): Promise<void> {
    if (one.kind === 'claim') return this.claim(one.max);
    const chosen = one.kind === 'extendAll' ? [...this.leases.values()] : this.among(one.which);
    if (one.kind === 'pass') return this.pass();
    if (one.kind === 'repeat') return this.repeat(one.which[0]!);
    if (chosen.length === 0) return;
    if (one.kind === 'extend' || one.kind === 'extendAll') return this.extend(chosen);
    if (one.kind === 'cancel') return this.cancel(chosen[0]!);
    if (one.kind === 'expire') return this.expire(chosen);
    await this.end(chosen, one.kind === 'settle' ? { type: 'succeed' } : { type: 'return' });
  }

  private among(numbers: readonly number[]): PlainLease[] {
    const all = [...this.leases.values()];
    return [...new Set(numbers.flatMap((number) => all[number % (all.length || 1)] ?? []))];
  }

  private async claim(max: number): Promise<void> {
    const claimId = uuidv7();
    const tasks = await this.dispatch.claim(this.queue, { max, claimId, leaseMs: LEASE_MS });
    if (tasks.length > 0) this.claimIds.push(claimId);
    const fresh = { claimId, cancelRequested: false, overdue: false, unheard: true };
    for (const task of tasks) this.leases.set(task.token, { task, ...fresh });
  }

  private async extend(chosen: readonly PlainLease[]): Promise<void> {
    const refs = chosen.map(({ task: { taskId, token } }) => {
      const [number, secret] = token.split('.') as [string, string];
      return { taskId, token: number, secret };
    });
    const answers = await this.extension.extend([...refs, { ...refs[0]!, secret: uuidv7() }]);
    expect(answers.map(({ kind }) => kind)).toEqual([...chosen.map(() => 'extended'), 'lost']);
    expect(answers.slice(0, -1).map((answer) => 'cancelRequested' in answer && answer.cancelRequested)).toEqual(
      chosen.map(({ cancelRequested }) => cancelRequested),
    );
    for (const lease of chosen) lease.overdue = lease.unheard = false;
  }

  private async repeat(number: number): Promise<void> {
    const claimId = this.claimIds[number % (this.claimIds.length || 1)];
    if (claimId === undefined) return;
    const tasks = await this.dispatch.claim(this.queue, { max: 12, claimId, leaseMs: LEASE_MS });
    const standing = [...this.leases.values()].filter((lease) => lease.claimId === claimId);
    expect(tasks.map(({ token }) => token).sort()).toEqual(standing.map(({ task }) => task.token).sort());
  }

  /** Lets all deadlines pass, so that an extension shows. */
  private async pass(): Promise<void> {
    await this.dispatch.pool.query(`update leases set deadline = now() - interval '1 second' where queue = $1`, [
      this.queue,
    ]);
    for (const lease of this.leases.values()) lease.overdue = true;
  }

  private async cancel(lease: PlainLease): Promise<void> {
    await this.dispatch.command(lease.task.taskId, { type: 'CancelTask', reason: null, then: 'cancelled' } as never);
    lease.cancelRequested = true;
  }

  private async expire(chosen: readonly PlainLease[]): Promise<void> {
    for (const { task } of chosen) await passLease(this.dispatch.pool, task.token.split('.')[0]!);
    for (const lease of chosen) lease.overdue = true;
    const overdue = [...this.leases.values()].filter((lease) => lease.overdue);
    const tokens = overdue.map(({ task: { taskId, token } }) => ({ taskId, token: token.split('.')[0]! }));
    expect(await this.expiry.expire(tokens, BY)).toBe(overdue.length);
    for (const { task } of overdue) this.leases.delete(task.token);
  }

  private async end(chosen: readonly PlainLease[], verdict: { readonly type: 'succeed' | 'return' }): Promise<void> {
    const outcomes = await this.dispatch.settle(
      chosen.map(({ task }) => task),
      verdict,
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(chosen.map(() => 'done'));
    for (const { task } of chosen) this.leases.delete(task.token);
  }

  /** Expects the same leases in the index. */
  async expectIndex(): Promise<void> {
    const { rows } = await this.dispatch.pool.query(
      `select token || '.' || secret as token, task_id, claim_id, worker, lease_ms, cancel_requested, deadline < now() as overdue, unheard
       from task_leases where queue = $1 order by token`,
      [this.queue],
    );
    expect(rows).toEqual(
      [...this.leases.values()]
        .map(({ task, claimId, cancelRequested, overdue, unheard }) => ({
          token: task.token,
          task_id: task.taskId,
          claim_id: claimId,
          worker: 'w1',
          lease_ms: LEASE_MS,
          cancel_requested: cancelRequested,
          overdue,
          unheard,
        }))
        .sort((one, other) => (one.token < other.token ? -1 : 1)),
    );
    const { rows: counts } = await this.dispatch.pool.query(
      `select l.open, (select count(*)::int from tasks t where t.lease = l.id) as tasks from leases l where l.queue = $1`,
      [this.queue],
    );
    for (const { open, tasks } of counts as { open: number; tasks: number }[]) {
      expect(open).toBe(tasks);
      expect(open).toBeGreaterThan(0);
    }
  }
}

describe.each([
  ['in Postgres', openDispatch],
  ['in EventStoreDB', openFollowedDispatch],
] as const)('leases of several tasks, with events %s,', (_store, open) => {
  let dispatch: DispatchFixture;
  beforeAll(async () => {
    dispatch = await open();
  });
  afterAll(() => dispatch.close());

  it('are given, extended and ended like a table with one row per task', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
        const queue = `q-${uuidv7()}`;
        await dispatch.define(queue);
        await dispatch.enqueue(
          queue,
          Array.from({ length: 60 }, () => ({})),
        );
        const lived = new Lived(dispatch, queue);
        for (const one of [...BEGINNING, ...steps]) {
          await lived.take(one);
          await lived.expectIndex();
        }
      }),
      { numRuns: Number(process.env.LEASE_RUNS ?? 15) },
    );
  });

  it('are one row per claim, and none after all its tasks are settled', async () => {
    const queue = `q-${uuidv7()}`;
    await dispatch.define(queue);
    await dispatch.enqueue(
      queue,
      Array.from({ length: 500 }, () => ({})),
    );
    const rows = async (): Promise<number> =>
      (await dispatch.pool.query('select from leases where queue = $1', [queue])).rows.length;
    const tasks = await dispatch.claim(queue, { max: 500 });
    expect(await rows()).toBe(1);
    await dispatch.settle(tasks.slice(0, 200));
    expect(await rows()).toBe(1);
    await dispatch.settle(tasks.slice(200));
    expect(await rows()).toBe(0);
  });

  it.each([
    ['succeeds', { type: 'succeed' }],
    ['fails', { type: 'fail', error: { message: 'broken' } }],
  ] as const)(
    'count their open tasks correctly if a task %s while a heartbeat extends some of them',
    async (_, verdict) => {
      const queue = `q-${uuidv7()}`;
      await dispatch.define(queue);
      await dispatch.enqueue(queue, [{}, {}, {}]);
      const tasks = await dispatch.claim(queue, { max: 3 });
      const heartbeat = await dispatch.pool.connect();
      await heartbeat.query('begin');
      const [token, secret] = tasks[0]!.token.split('.');
      await heartbeat.query('select * from waybill_extend($1, $2, $3)', [[token], [secret], [tasks[0]!.taskId]]);
      const settled = dispatch.settle(tasks.slice(0, 2), verdict as Verdict);
      await until('the settlement to wait', async () => {
        const { rows } = await dispatch.pool.query('select from pg_locks where not granted');
        return rows.length > 0 ? true : null;
      });
      await heartbeat.query('commit');
      heartbeat.release();
      expect((await settled).map(({ kind }) => kind)).toEqual(['done', 'done']);
      const { rows } = await dispatch.pool.query(
        'select open, cardinality(tasks) as all from leases where queue = $1',
        [queue],
      );
      expect(rows).toEqual([{ open: 1, all: 3 }]);
    },
  );

  it('end with their last task if a heartbeat meanwhile gives the others a lease of their own', async () => {
    const queue = `q-${uuidv7()}`;
    await dispatch.define(queue);
    await dispatch.enqueue(queue, [{}, {}]);
    const [extended, settled] = (await dispatch.claim(queue, { max: 2 })) as [ClaimedTask, ClaimedTask];
    const heartbeat = await dispatch.pool.connect();
    await heartbeat.query('begin');
    const [token, secret] = extended.token.split('.');
    await heartbeat.query('select * from waybill_extend($1, $2, $3)', [[token], [secret], [extended.taskId]]);
    const settling = dispatch.settle([settled]);
    await until('the settlement to wait', async () => {
      const { rows } = await dispatch.pool.query('select from pg_locks where not granted');
      return rows.length > 0 ? true : null;
    });
    await heartbeat.query('commit');
    heartbeat.release();
    expect(await settling).toMatchObject([{ kind: 'done' }]);
    const { rows } = await dispatch.pool.query('select open, tasks from leases where queue = $1', [queue]);
    expect(rows).toEqual([{ open: 1, tasks: [extended.taskId] }]);
  });
});
