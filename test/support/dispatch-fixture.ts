import { uuidv7 } from 'uuidv7';
import type { ClaimAnswer, ClaimRequest, ClaimedTask } from '../../src/application/claims/task-claimer.port.js';
import {
  SettleTasks,
  SettleTasksHandler,
  type SettleOutcome,
  type Verdict,
} from '../../src/application/claims/settle-tasks.handler.js';
import { LateReports } from '../../src/application/claims/late-reports.js';
import type { EventStore } from '../../src/application/kernel/event-store.port.js';
import { DeciderRunner } from '../../src/application/kernel/decider-runner.js';
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
import { ConcurrencyLimiter } from '../../src/infrastructure/dispatch-index/concurrency-limiter.js';
import type { ClaimStrategy } from '../../src/infrastructure/dispatch-index/claim-strategy.js';
import { ClaimRepeats } from '../../src/infrastructure/dispatch-index/claim-repeats.js';
import { ClaimRetry } from '../../src/infrastructure/dispatch-index/claim-retry.js';
import { ClaimTransaction } from '../../src/infrastructure/postgres-event-store/claim-transaction.js';
import { consumerInLog } from '../../src/infrastructure/eventstoredb/reservations/consumer-in-log.js';
import { ReservedClaimRepeats } from '../../src/infrastructure/eventstoredb/reservations/reserved-claim-repeats.js';
import { ReservedClaims } from '../../src/infrastructure/eventstoredb/reservations/reserved-claims.js';
import { PostgresTaskClaimer } from '../../src/infrastructure/dispatch-index/postgres-task-claimer.js';
import { PostgresIdempotencyKeys } from '../../src/infrastructure/dispatch-index/postgres-idempotency-keys.js';
import { DatabaseClock } from '../../src/infrastructure/database/database-clock.js';
import { defineQueue, policyChanged } from './events.js';
import { openStore, type StoreFixture, type StoreFixtureOptions } from './eventstoredb/open-store.js';
import { openPostgresStore, type PostgresFixture } from './postgres-store.js';

const CONTEXT = { actor: 'tester', correlationId: 'test' };

/** The write side on a database of its own, without the service around it. */
export interface DispatchFixture extends Omit<PostgresFixture, 'store' | 'url'> {
  readonly store: EventStore;
  readonly desk: PostgresTaskClaimer;
  /** What the desk asks; another process's would ask its own. */
  readonly granter: ClaimStrategy;
  readonly runner: DeciderRunner;
  readonly clock: DatabaseClock;
  define(queue: string, policy?: Partial<QueuePolicy>): Promise<void>;
  /** The second policy of a queue that was only defined. */
  changePolicy(queue: string, policy: Partial<QueuePolicy>): Promise<void>;
  /** Answers the task ids, in order. */
  enqueue(queue: string, items: readonly Partial<EnqueueItem>[]): Promise<string[]>;
  claim(queue: string, request?: Partial<ClaimRequest>): Promise<readonly ClaimedTask[]>;
  /** As `claim`, with everything else that the desk answers. */
  ask(queue: string, request?: Partial<ClaimRequest>): Promise<ClaimAnswer>;
  settle(
    grants: readonly Pick<ClaimedTask, 'taskId' | 'token'>[],
    verdict?: Verdict,
  ): Promise<readonly SettleOutcome[]>;
  command(taskId: string, command: Omit<TaskCommand, 'now' | 'by'>): Promise<string>;
}

export async function openDispatch(): Promise<DispatchFixture> {
  const fixture = await openPostgresStore();
  const { pool, store } = fixture;
  const clock = new DatabaseClock(pool);
  await clock.sample();
  return dispatchOn({ ...fixture, clock }, new ClaimRepeats(pool, store), ({ rounds, runner }) => {
    return new ClaimTransaction(pool, store, rounds, runner, new ConcurrencyLimiter(), clock);
  });
}

/** The same with the events in EventStoreDB. */
export async function openReservedDispatch(options: StoreFixtureOptions = {}): Promise<ReservedDispatch> {
  const fixture = await openStore(options);
  return { ...fixture, ...reservedDispatchOn(fixture), store: fixture.store };
}

/** As a process of its own has it. */
export function reservedDispatchOn(
  fixture: Pick<StoreFixture, 'pool' | 'store' | 'log' | 'reservations' | 'index' | 'wakeUps' | 'clock' | 'close'>,
): DispatchFixture {
  const { pool, store, log, reservations, index, clock } = fixture;
  return dispatchOn(fixture, new ReservedClaimRepeats(pool, store, index), ({ rounds, runner }) => {
    return new ReservedClaims(
      pool,
      log,
      reservations,
      index,
      rounds,
      runner,
      new ConcurrencyLimiter(consumerInLog(log)),
      clock,
    );
  });
}

export type ReservedDispatch = DispatchFixture & StoreFixture;

interface Parts {
  readonly rounds: ClaimRetry;
  readonly runner: DeciderRunner;
}

function dispatchOn(
  fixture: Pick<DispatchFixture, 'pool' | 'store' | 'wakeUps' | 'clock' | 'close'>,
  repeats: ClaimRepeats,
  granterOf: (parts: Parts) => ClaimStrategy,
): DispatchFixture {
  const { pool, store, wakeUps, clock } = fixture;
  const directory = new QueueDirectory(store);
  const runner = new DeciderRunner(store);
  const granter = granterOf({ rounds: new ClaimRetry(directory, repeats), runner });
  const desk = new PostgresTaskClaimer(granter, wakeUps);
  const enqueuing = new EnqueueTasksHandler(runner, clock, directory, new PostgresIdempotencyKeys(pool), store);
  const settling = new SettleTasksHandler(runner, clock, directory, new LateReports(store, runner, directory));
  return {
    ...fixture,
    desk,
    granter,
    runner,
    clock,
    define: async (queue, policy) => void (await store.append([defineQueue(queue, policy)])),
    changePolicy: async (queue, policy) => void (await store.append([policyChanged(queue, policy)])),
    enqueue: async (queue, items) => {
      const outcomes = await enqueuing.execute(
        new EnqueueTasks(
          items.map((item) => ({ taskId: uuidv7(), queue, ...item })),
          CONTEXT,
        ),
      );
      return outcomes.map((outcome) => (outcome.kind === 'done' ? outcome.receipt.id : outcome.rejection.code));
    },
    claim: async (queue, request = {}) => (await desk.claim({ ...claimOf(queue), ...request })).tasks,
    ask: (queue, request = {}) => desk.claim({ ...claimOf(queue), ...request }),
    settle: (grants, verdict = { type: 'succeed' }) =>
      settling.execute(
        new SettleTasks(
          grants.map(({ taskId, token }) => ({ taskId, token, verdict })),
          CONTEXT,
        ),
      ),
    command: async (taskId, command) => {
      const given = { ...command, now: clock.iso(), by: 'tester' } as TaskCommand;
      const outcome = await runner.run(
        taskDecider,
        { stream: taskStream(taskId), command: given, load: 'fresh' },
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
