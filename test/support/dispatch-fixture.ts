import { uuidv7 } from 'uuidv7';
import type {
  ClaimAnswer,
  ClaimRequest,
  ClaimSource,
  ClaimedTask,
} from '../../src/application/claims/claim-source.port.js';
import { JobItems } from '../../src/application/claims/job-items.js';
import { HoldPlacer } from '../../src/application/claims/hold-placer.js';
import { ClaimService } from '../../src/application/claims/claim-service.js';
import { TaskClaimer } from '../../src/application/claims/task-claimer.js';
import {
  SettleTasks,
  SettleTasksHandler,
  type SettleOutcome,
  type Verdict,
} from '../../src/application/claims/settle-tasks.handler.js';
import { LateReports } from '../../src/application/claims/late-reports.js';
import type { EventStore } from '../../src/application/kernel/event-store.port.js';
import { DeciderRunner } from '../../src/application/kernel/decider-runner.js';
import { BatchDirectory } from '../../src/application/kernel/batch-directory.js';
import { QueueDirectory } from '../../src/application/kernel/queue-directory.js';
import {
  EnqueueTasks,
  EnqueueTasksHandler,
  type EnqueueItem,
} from '../../src/application/tasks/enqueue-tasks.handler.js';
import type { QueuePolicy } from '../../src/domain/queue/queue.policy.js';
import { taskDecider } from '../../src/domain/task/task.decider.js';
import type { TaskCommand } from '../../src/domain/task/task.commands.js';
import { taskStream } from '../../src/domain/task/task.stream.js';
import { ClaimTransaction } from '../../src/infrastructure/postgres-event-store/claim-transaction.js';
import { ReservedClaims } from '../../src/infrastructure/eventstoredb/reservations/reserved-claims.js';
import { PostgresEventStore } from '../../src/infrastructure/postgres-event-store/postgres-event-store.js';
import { Deduplications } from '../../src/application/tasks/deduplications.js';
import { PostgresIdempotencyKeys } from '../../src/infrastructure/dispatch-index/postgres-idempotency-keys.js';
import { DatabaseClock } from '../../src/infrastructure/database/database-clock.js';
import { PostgresLeaseRepository } from '../../src/infrastructure/dispatch-index/postgres-lease-repository.js';
import { defineQueue, policyChanged } from './events.js';
import { PostgresIndexRows } from '../../src/infrastructure/dispatch-index/postgres-index-rows.js';
import { PostgresQuarantine } from '../../src/infrastructure/dispatch-index/postgres-quarantine.js';
import { openStore, type StoreFixture, type StoreFixtureOptions } from './eventstoredb/open-store.js';
import { NO_PAYLOAD_STORE } from './no-payload-store.js';
import { openPostgresStore, type PostgresFixture } from './postgres-store.js';

export const CONTEXT = { actor: 'tester', correlationId: 'test' };

/** The write side on a database of its own, without the service around it. */
export interface DispatchFixture extends Omit<PostgresFixture, 'store' | 'url'> {
  readonly store: EventStore;
  readonly claimer: TaskClaimer;
  /** The claimer's service. Another process has its own. */
  readonly claims: ClaimService;
  readonly runner: DeciderRunner;
  readonly clock: DatabaseClock;
  define(queue: string, policy?: Partial<QueuePolicy>): Promise<void>;
  /** Creates this version of the policy of a queue that was only defined, and changed to each version between. */
  changePolicy(queue: string, policy: Partial<QueuePolicy>, version?: number): Promise<void>;
  /** Returns the task ids, in order. */
  enqueue(queue: string, items: readonly Partial<EnqueueItem>[]): Promise<string[]>;
  claim(queue: string, request?: Partial<ClaimRequest>): Promise<readonly ClaimedTask[]>;
  /** Like `claim`, but returns the claimer's whole answer. */
  ask(queue: string, request?: Partial<ClaimRequest>): Promise<ClaimAnswer>;
  settle(
    claimedTasks: readonly Pick<ClaimedTask, 'taskId' | 'token'>[],
    verdict?: Verdict,
  ): Promise<readonly SettleOutcome[]>;
  command(taskId: string, command: Omit<TaskCommand, 'now' | 'by'>): Promise<string>;
}

export async function openDispatch(options: { readonly poolSize?: number } = {}): Promise<DispatchFixture> {
  const fixture = await openPostgresStore(options);
  const { pool, store } = fixture;
  const clock = new DatabaseClock(pool);
  await clock.sample();
  return dispatchOn({ ...fixture, clock }, new ClaimTransaction(pool, store, quarantineOn(fixture)));
}

/** The same fixture as another process on the same database has it. */
export function besides(fixture: DispatchFixture): DispatchFixture {
  const store = new PostgresEventStore(fixture.pool, fixture.wakeUps);
  return dispatchOn({ ...fixture, store }, new ClaimTransaction(fixture.pool, store, quarantineOn(fixture)));
}

/** The same with the events in EventStoreDB. */
export async function openReservedDispatch(options: StoreFixtureOptions = {}): Promise<ReservedDispatch> {
  const fixture = await openStore(options);
  return { ...fixture, ...reservedDispatchOn(fixture), store: fixture.store };
}

/** As another process has it. */
export function reservedDispatchOn(
  fixture: Pick<StoreFixture, 'pool' | 'store' | 'log' | 'reservations' | 'index' | 'wakeUps' | 'clock' | 'close'>,
): DispatchFixture {
  const { pool, log, reservations, index } = fixture;
  return dispatchOn(fixture, new ReservedClaims(pool, log, reservations, index, quarantineOn(fixture)));
}

const quarantineOn = ({ pool, wakeUps }: Pick<DispatchFixture, 'pool' | 'wakeUps'>): PostgresQuarantine =>
  new PostgresQuarantine(pool, wakeUps);

export type ReservedDispatch = DispatchFixture & StoreFixture;

function dispatchOn(
  fixture: Pick<DispatchFixture, 'pool' | 'store' | 'wakeUps' | 'clock' | 'close'>,
  source: ClaimSource,
): DispatchFixture {
  const { pool, store, wakeUps, clock } = fixture;
  const rows = new PostgresIndexRows(pool, store, wakeUps);
  const directory = new QueueDirectory(store, rows);
  const runner = new DeciderRunner(store, NO_PAYLOAD_STORE, quarantineOn(fixture));
  const items = new JobItems(source, new PostgresLeaseRepository(pool));
  const claims = new ClaimService(source, directory, runner, clock, new HoldPlacer(runner, clock), items);
  const claimer = new TaskClaimer(claims, wakeUps);
  const enqueuing = new EnqueueTasksHandler(
    runner,
    clock,
    directory,
    new PostgresIdempotencyKeys(pool),
    store,
    new Deduplications(),
    new BatchDirectory(store, rows),
    NO_PAYLOAD_STORE,
  );
  const settling = new SettleTasksHandler(runner, clock, directory, new LateReports(runner, directory), {
    asks: () => () => undefined,
    doesNotKnow: () => undefined,
  });
  return {
    ...fixture,
    claimer,
    claims,
    runner,
    clock,
    define: async (queue, policy) => void (await store.append([defineQueue(queue, policy)])),
    changePolicy: async (queue, policy, version) => void (await store.append([policyChanged(queue, policy, version)])),
    enqueue: async (queue, items) => {
      const outcomes = await enqueuing.execute(
        new EnqueueTasks(
          items.map((item) => ({ taskId: uuidv7(), queue, ...item })),
          CONTEXT,
        ),
      );
      return outcomes.map((outcome) => (outcome.kind === 'done' ? outcome.receipt.id : outcome.rejection.code));
    },
    claim: async (queue, request = {}) => (await claimer.claim({ ...claimOf(queue), ...request })).tasks,
    ask: (queue, request = {}) => claimer.claim({ ...claimOf(queue), ...request }),
    settle: (claimedTasks, verdict = { type: 'succeed' }) =>
      settling.execute(
        new SettleTasks(
          claimedTasks.map(({ taskId, token }) => ({ taskId, token, verdict })),
          CONTEXT,
        ),
      ),
    command: async (taskId, command) => {
      const given = { ...command, now: clock.iso(), by: 'tester' } as TaskCommand;
      const outcome = await runner.run(
        taskDecider,
        { stream: taskStream(taskId), command: given, load: 'whole' },
        CONTEXT,
      );
      return outcome.kind === 'rejected' ? outcome.rejection.code : outcome.kind;
    },
  };
}

export const claimOf = (queue: string): ClaimRequest => ({
  queue,
  worker: 'w1',
  server: 's1',
  max: 1,
  waitMs: 0,
  leaseMs: null,
  claimId: uuidv7(),
  signal: new AbortController().signal,
  context: CONTEXT,
});
