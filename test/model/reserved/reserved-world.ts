import { randomUUID } from 'node:crypto';
import { externalLog } from '../../../src/infrastructure/eventstoredb/reservations/loaded-log.js';
import type { ClaimAnswer, ClaimRequest, ClaimedTask } from '../../../src/application/claims/claim-source.port.js';
import { LeaseExpiry, type OverdueLease } from '../../../src/application/claims/lease-expiry.js';
import { BatchStreamCommand } from '../../../src/application/batches/batch-stream-command.js';
import type { BatchOperation } from '../../../src/application/batches/operate-batch.handler.js';
import type { AppendConditions, RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import type { LeaderTerm } from '../../../src/application/kernel/leader-term.js';
import type { BatchCommand } from '../../../src/domain/batch/batch.commands.js';
import { batchDecider } from '../../../src/domain/batch/batch.decider.js';
import { segmentsOf } from '../../../src/application/kernel/log-segment.js';
import { QueueDirectory } from '../../../src/application/kernel/queue-directory.js';
import { EventStoreDbEventStore } from '../../../src/infrastructure/eventstoredb/eventstoredb-event-store.js';
import { TransactionLog } from '../../../src/infrastructure/eventstoredb/log/transaction-log.js';
import { IndexRebuild } from '../../../src/infrastructure/dispatch-index/index-rebuild.js';
import { PostgresLeaseRepository } from '../../../src/infrastructure/dispatch-index/postgres-lease-repository.js';
import { IndexMender } from '../../../src/infrastructure/eventstoredb/reservations/index-mender.js';
import { LogComparison } from '../../../src/infrastructure/eventstoredb/reservations/log-comparison.js';
import { IndexConsumer } from '../../../src/infrastructure/eventstoredb/reservations/index-consumer.js';
import { IndexProgress } from '../../../src/infrastructure/eventstoredb/reservations/index-progress.js';
import { ReservationCleaner } from '../../../src/infrastructure/eventstoredb/reservations/reservation-cleaner.js';
import { ReservedTransactions } from '../../../src/infrastructure/eventstoredb/reservations/reserved-transactions.js';
import { Reservations } from '../../../src/infrastructure/eventstoredb/reservations/reservations.js';
import { LocalWakeUps } from '../../../src/infrastructure/notify/local-wake-ups.js';
import { DatabaseClock } from '../../../src/infrastructure/database/database-clock.js';
import { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { Leaders, type Leadership } from '../../../src/infrastructure/leadership/leaders.js';
import { type Checkpoint, openCheckpoint } from '../../../src/infrastructure/projection-engine/checkpoint.js';
import { Progress } from '../../../src/infrastructure/projection-engine/progress.js';
import { INDEX_FOLLOWER } from '../../../src/projections/read-models.js';
import { agree } from '../../support/agree.js';
import { type DispatchFixture, reservedDispatchOn } from '../../support/dispatch-fixture.js';
import { createTestDatabase } from '../../support/test-database.js';
import { type Actor, Stage } from './stage.js';
import { SteppedLog } from './stepped-log.js';
import { type ChoreName, SteppedSweeper } from './stepped-sweeper.js';
import { type Rules, ToldQueue } from './told-queue.js';

export const QUEUE = 'q';
const CONTEXT = { actor: 'tester', correlationId: 'test' };
const HOUR_MS = 3_600_000;

const TABLES = [
  'tasks',
  'queues',
  'ready',
  'waiting',
  'leases',
  'claims',
  'key_slots',
  'key_failures',
  'reservations',
  'batches',
  'prerequisites',
  'consequences',
  'projection_checkpoints',
];

const OPEN = `(select task_id from tasks where state not in ('succeeded', 'superseded', 'aborted', 'deleted'))`;

/**
 * The parts that the index after the steps must share with a rebuilt one. An empty key slot does not matter, nor does
 * what a finished task waits for, a mark for a dependant that is none any more, or a fence in a batch. Leases start
 * again, one for each task.
 */
const INDEX = {
  tasks: `select to_jsonb(t) - array['awaited', 'lease'] as row from tasks t`,
  // A mark says that a task may have ended, so a rebuild may set it without need.
  batches: `select to_jsonb(b) - array['awaited', 'position', 'revision', 'task_ended'] as row from batches b`,
  ready: 'select queue, priority, from_seq, task_id from ready',
  waiting: 'select * from waiting',
  slots: 'select * from key_slots where coalesce(running, ready, waiting) is not null',
  failures: 'select * from key_failures',
  leases: 'select token, task_id, queue, worker, server, secret, claim_id, lease_ms, reservation from task_leases',
  prerequisites: `select * from prerequisites where not closed and (reservation is not null or task_id in ${OPEN})`,
  consequences: `select c.* from consequences c where exists (
      select from prerequisites p where p.needs = c.id and not p.closed and not p.ignore and p.reservation is null and p.task_id in ${OPEN})
    or exists (select from tasks t where t.batch = c.id and t.state not in ('succeeded', 'superseded', 'deleted')
      and not (t.state = 'aborted' and c.what = 'abort'))`,
};

/** Without such a mark, nobody looks for what waits for a task or a batch. */
const UNMARKED = `select p.* from prerequisites p where not p.closed and p.reservation is null and p.task_id in ${OPEN}
  and not exists (select from tasks t where t.task_id = p.needs and t.awaited)
  and not exists (select from batches b where b.id = p.needs and b.awaited)`;

/** Leases that count others than the tasks that point to them, and pointers to leases that are not there. */
const MISCOUNTED = `
  with pointers as (
    select lease, task_id from tasks where lease is not null
    union all select lease, stream from reservations where lease is not null)
  select coalesce(l.id, p.lease) as lease, l.open, l.tasks, array_agg(p.task_id) as pointing
  from leases l full join pointers p on p.lease = l.id group by l.id, p.lease
  having l.id is null or l.open <> count(p.task_id) or l.expiring is not null and l.open <> 1 or not bool_and(p.task_id = any (l.tasks))`;

interface Lease extends OverdueLease {
  readonly server: string;
}

/** An index that follows the log when the steps let it. */
class SteppedIndex extends IndexProgress {
  constructor(
    pool: PostgresPool,
    private readonly stage: Stage,
    private readonly applied: () => bigint,
  ) {
    super(pool, new Progress(), new LocalWakeUps());
  }

  override async reached(position: bigint): Promise<boolean> {
    await this.stage.pass('index');
    return this.applied() >= position;
  }

  override async moved(): Promise<void> {
    await this.stage.pass('index');
  }
}

/** A database in which the queues are tested one after the other. */
export class ReservedWorlds {
  private constructor(
    readonly pool: PostgresPool,
    readonly clock: DatabaseClock,
    private readonly leaders: Leaders,
    private readonly sweeping: Leadership,
    private readonly drop: () => Promise<void>,
  ) {}

  static async open(): Promise<ReservedWorlds> {
    const { url, drop } = await createTestDatabase();
    const pool = new PostgresPool({ url, size: 4 });
    const clock = new DatabaseClock(pool);
    await clock.sample();
    const leaders = new Leaders(pool);
    const sweeping = await leaders.tryToLead('sweeper');
    return new ReservedWorlds(pool, clock, leaders, sweeping!, drop);
  }

  /** `atOnce`: whether the store takes appends to several streams at once. */
  async begin(rules: Rules, atOnce: boolean): Promise<ReservedWorld> {
    await this.pool.query(TABLES.map((table) => `delete from ${table}`).join(';'));
    const checkpoint = await openCheckpoint(this.pool, INDEX_FOLLOWER, 1);
    const world = new ReservedWorld(this.pool, this.clock, this.sweeping.term, rules, checkpoint, atOnce);
    await world.process().define(QUEUE, policyOf(rules));
    await world.ofBatch({ type: 'CreateBatch', facts: { name: 'b' } });
    await world.applyAll();
    return world;
  }

  async close(): Promise<void> {
    await this.leaders.close();
    await this.pool.end();
    await this.drop();
  }
}

export const policyOf = ({ blocks, maxRunning, concurrency, duplicatePending, onFailure }: Rules) => ({
  duplicatePending,
  onFailure,
  maxRunning,
  concurrency,
  maxLost: 100,
  onKeyFailure: blocks ? ('block' as const) : ('continue' as const),
  clearFailuresOnSuccess: false,
  retry: {
    maxAttempts: 2,
    classes: ['transient' as const],
    backoff: { kind: 'fixed' as const, baseMs: HOUR_MS, factor: 1, capMs: HOUR_MS, jitter: 'none' as const },
  },
});

/** One queue with its log, its reservations and its index. Appends are made and applied when a step says so. */
export class ReservedWorld {
  readonly stage = new Stage();
  readonly batch: string = randomUUID();
  readonly log: SteppedLog;
  /** The queue according to the whole log, and according to the applied part. */
  readonly recorded: ToldQueue;
  readonly applied: ToldQueue;
  readonly claims: ClaimRequest[] = [];
  readonly claimedTasks: ClaimedTask[] = [];
  private readonly reservations: Reservations;
  private readonly index: SteppedIndex;
  private readonly transactions: TransactionLog;
  private readonly consumer: IndexConsumer;
  private readonly cleaner: ReservationCleaner;
  private told = 0;
  /** The tokens at the last check. */
  private leased: ReadonlySet<string> = new Set();

  constructor(
    readonly pool: PostgresPool,
    readonly clock: DatabaseClock,
    private readonly term: LeaderTerm,
    rules: Rules,
    private checkpoint: Checkpoint,
    atOnce: boolean,
  ) {
    this.recorded = new ToldQueue(rules, this.batch);
    this.applied = new ToldQueue(rules, this.batch);
    this.log = new SteppedLog(this.stage, clock, atOnce);
    this.reservations = new Reservations(pool);
    this.index = new SteppedIndex(pool, this.stage, () => this.checkpoint.position);
    this.transactions = new TransactionLog(this.log);
    this.consumer = new IndexConsumer(pool, new LocalWakeUps(), this.transactions, this.log);
    const ungated = new SteppedIndex(pool, new Stage(), () => this.checkpoint.position);
    const mender = new IndexMender(pool, this.log, this.transactions, new LocalWakeUps());
    this.cleaner = new ReservationCleaner(
      this.reservations,
      this.log,
      this.transactions,
      ungated,
      new Leaders(pool),
      new LocalWakeUps(),
      mender,
      new LogComparison(pool, this.log, mender),
    );
  }

  /** The parts that each process has for itself. */
  process(): DispatchFixture {
    const { pool, log, reservations, index, transactions, clock } = this;
    const asOne = new ReservedTransactions(log, transactions, reservations, index);
    const store = new EventStoreDbEventStore(log, reservations, index, asOne, pool);
    const close = (): Promise<void> => Promise.resolve();
    const wakeUps = new LocalWakeUps();
    return reservedDispatchOn({ pool, store, log, reservations, index, clock, wakeUps, close });
  }

  /** A worker that takes over a serial queue resets the task of the former consumer. */
  async claim(request: ClaimRequest): Promise<void> {
    const process = this.process();
    for (let tries = 0; tries < 3; tries++) {
      const [answer] = await process.claims.serve(QUEUE, [request]);
      if (answer instanceof Error) throw answer;
      const { tasks, reset } = answer as ClaimAnswer;
      this.claimedTasks.push(...tasks);
      if (!reset) return;
      await this.expireBy(process, reset);
    }
  }

  async expire(lease: OverdueLease): Promise<void> {
    const past = `update leases set deadline = now() - interval '1 second' where id = (select lease from task_leases where token = $1)`;
    await this.pool.query(past, [lease.token]);
    await this.expireBy(this.process(), lease);
  }

  /** What a worker's heartbeat does. */
  async extend(tasks: readonly ClaimedTask[]): Promise<void> {
    const refs = tasks.map(({ taskId, token }) => {
      const [number, secret] = token.split('.') as [string, string];
      return { taskId, token: number, secret };
    });
    await new PostgresLeaseRepository(this.pool).extend(refs);
  }

  ofBatch(operation: BatchOperation, conditions: AppendConditions = {}): Promise<unknown> {
    const command = { ...operation, batch: this.batch, by: 'model', now: this.clock.iso() } as BatchCommand;
    return this.process().runner.run(batchDecider, new BatchStreamCommand(command, conditions), CONTEXT);
  }

  sweep(chore: ChoreName): Promise<number> {
    return new SteppedSweeper(this.process(), this.term).run(chore);
  }

  clean(): Promise<number> {
    return this.cleaner.clean();
  }

  /** Lets the reservation with this number, in the order of names, pass its deadline. Returns whether there is one. */
  async passDeadline(which: number): Promise<boolean> {
    const { rows } = await this.pool.query<{ id: string }>('select id from reservations order by name');
    if (rows.length === 0) return false;
    await this.pool.query(
      `update reservations set deadline = now() - interval '1 second'
       where id = $1 or transaction = (select transaction from reservations where id = $1)`,
      [rows[which % rows.length]!.id],
    );
    return true;
  }

  async leases(): Promise<Lease[]> {
    const { rows } = await this.pool.query<Lease>(
      'select task_id as "taskId", token, server from task_leases order by token',
    );
    return rows;
  }

  /** Applies the next appends. */
  async apply(appends: number): Promise<void> {
    const waiting = await this.log.readAll(this.checkpoint.position, Number.MAX_SAFE_INTEGER);
    let rest = appends;
    const next = waiting.filter(({ more }) => rest > 0 && (more || rest-- > 0));
    if (next.length === 0) return;
    this.checkpoint = await this.consumer.consume(segmentsOf(next), this.checkpoint);
    for (const append of appendsOf(next)) this.applied.take(this.appliedWith(append));
  }

  async applyAll(): Promise<void> {
    while (this.checkpoint.position < (await this.log.head())) await this.apply(Infinity);
  }

  /** Continues until the actor ends, or no further application lets it continue. */
  async finish(actor: Actor): Promise<void> {
    for (let tries = 0; tries < TRIES && !actor.over; tries++) {
      await this.applyAll();
      await this.stage.goOn(actor, 'made');
    }
    await this.applyAll();
  }

  /**
   * Checks that the queue's rules hold at every position of the log, and that the index offers exactly the runnable
   * tasks.
   */
  async check(): Promise<void> {
    agree(this.takeNew(), []);
    agree((await this.pool.query('select task_id, error from quarantined')).rows, []);
    agree((await this.pool.query(UNMARKED)).rows, []);
    agree((await this.pool.query(MISCOUNTED)).rows, []);
    const leases = await this.leases();
    const inHands = new Set(leases.map(({ taskId }) => taskId));
    agree(inHands.size, leases.length);
    const { rows } = await this.pool.query<{ id: string }>(
      'select task_id as id from ready order by priority desc, from_seq',
    );
    const offered = rows.map(({ id }) => id).filter((id) => !inHands.has(id));
    agree(offered, this.applied.offered(inHands));
    agree(this.overfull(leases), []);
  }

  /**
   * Checks that the index, once everything is applied, equals one that is rebuilt from the log, including claims not
   * recorded yet.
   */
  async rebuild(): Promise<void> {
    await this.finishTransactions();
    await this.applyAll();
    // A rebuild keeps all tasks of an ended batch back, also those that the batch let go before.
    if (this.applied.batch.isUnsettled) return;
    await this.check();
    const lived = await this.tables();
    await new IndexRebuild(this.pool, externalLog({ id: 'test', log: this.log, reactions: [] })).run();
    agree(await this.tables(), lived);
    this.checkpoint = await openCheckpoint(this.pool, INDEX_FOLLOWER, 1);
  }

  /** As a rebuild does, which takes their writers for gone. */
  private async finishTransactions(): Promise<void> {
    const begun = new Set(
      this.log.events.flatMap(({ transaction }) => (transaction && !transaction.atOnce ? transaction.id : [])),
    );
    for (const id of begun) await this.transactions.finish((await this.transactions.find(id))!);
  }

  /** Lets every actor end and gives up what never arrived, after which nothing is reserved. */
  async drain(): Promise<void> {
    do {
      for (const actor of this.stage.standing) await this.finish(actor);
      await this.pool.query(`update reservations set deadline = now() - interval '1 second'`);
      await this.clean();
      await this.applyAll();
      await this.check();
    } while (this.stage.standing.length > 0);
    const { rows } = await this.pool.query('select * from reservations');
    agree(rows, []);
    await this.settle();
  }

  /** The sweeper comes to an end, and then nothing is left to do about the graph. */
  private async settle(): Promise<void> {
    for (let rows = 1, rounds = 0; rows > 0; rounds++) {
      if (rounds === SWEEPS)
        throw new Error(`Expected the sweeper to have an end, but it still finds ${rows} after ${SWEEPS} rounds`);
      rows = (await this.swept('consequences')) + (await this.swept('ends'));
      await this.check();
    }
    agree(this.applied.graph.doomed, []);
    agree(this.applied.batch.isUnsettled, false);
  }

  private async swept(chore: ChoreName): Promise<number> {
    let rows = 0;
    const actor = await this.stage.start(`sweep ${chore}`, async () => (rows = await this.sweep(chore)));
    await this.finish(actor);
    return rows;
  }

  private async expireBy(process: DispatchFixture, lease: OverdueLease): Promise<void> {
    const expiry = new LeaseExpiry(process.runner, this.clock, new QueueDirectory(process.store));
    await expiry.expire([lease], CONTEXT);
  }

  /** All of a transaction is applied with its last part, and nothing with the others. */
  private appliedWith(append: readonly RecordedEvent[]): readonly RecordedEvent[] {
    const { transaction } = append[0]!;
    if (!transaction) return append;
    return transaction.item < transaction.of! - 1
      ? []
      : this.log.events.filter((event) => event.transaction?.id === transaction.id);
  }

  private takeNew(): string[] {
    const events = this.log.events.slice(this.told);
    this.told = this.log.events.length;
    return appendsOf(events).flatMap((append) => this.recorded.take(append));
  }

  /** Counts reserved claims too. Tasks that ran before a limit was lowered may continue. */
  private overfull(leases: readonly Lease[]): string[] {
    const { maxRunning, rules } = this.applied;
    const most = rules.concurrency === 'serial' ? 1 : (maxRunning ?? Infinity);
    const perServer = typeof rules.concurrency === 'object' ? rules.concurrency.perServer : Infinity;
    const isNew = leases.some(({ token }) => !this.leased.has(token));
    this.leased = new Set(leases.map(({ token }) => token));
    const on = (server: string): number => leases.filter((lease) => lease.server === server).length;
    return [
      ...(isNew && leases.length > most ? [`${leases.length} leases of ${most}`] : []),
      ...leases.flatMap(({ server }) => (on(server) > perServer ? [`${on(server)} leases on '${server}'`] : [])),
      ...repeated(leases.flatMap(({ taskId }) => this.applied.task(taskId)?.key ?? [])).map(
        (key) => `two of key '${key}'`,
      ),
    ];
  }

  private async tables(): Promise<Record<string, unknown[]>> {
    const tables: Record<string, unknown[]> = {};
    for (const [name, query] of Object.entries(INDEX)) {
      const { rows } = await this.pool.query<{ row: unknown }>(
        `select to_jsonb(t) as row from (${query}) t order by 1`,
      );
      tables[name] = rows.map(({ row }) => row);
    }
    return tables;
  }
}

/** An append that waits for another one's end cannot end itself. */
const TRIES = 12;

/** A task that waits for one that waits for one needs as many rounds. */
const SWEEPS = 60;

const repeated = (values: readonly string[]): string[] => values.filter((value, at) => values.indexOf(value) < at);

function appendsOf(events: readonly RecordedEvent[]): RecordedEvent[][] {
  const appends: RecordedEvent[][] = [[]];
  for (const event of events) {
    appends.at(-1)!.push(event);
    if (!event.more) appends.push([]);
  }
  return appends.filter(({ length }) => length > 0);
}
