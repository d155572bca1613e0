import { PayloadStore } from '../../../src/application/kernel/payload-store.port.js';
import { NoPayloadStore } from '../../../src/infrastructure/payloads/no-payload-store.js';
import { Global, Module, type Type } from '@nestjs/common';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import { Test, type TestingModule } from '@nestjs/testing';
import { ApplicationModule } from '../../../src/application/application.module.js';
import { ClaimSource } from '../../../src/application/claims/claim-source.port.js';
import { WorkerPresence } from '../../../src/application/claims/worker-presence.port.js';
import { Clock } from '../../../src/application/kernel/clock.port.js';
import { EventStore, type RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { IdempotencyKeys } from '../../../src/application/kernel/idempotency-keys.port.js';
import { TaskLog } from '../../../src/application/claims/task-log.port.js';
import { TaskProgress } from '../../../src/application/claims/task-progress.port.js';
import { IndexRows } from '../../../src/application/kernel/index-rows.port.js';
import { LeaseRepository } from '../../../src/application/kernel/lease-repository.port.js';
import { Quarantine } from '../../../src/application/kernel/quarantine.port.js';
import { QueueDirectory } from '../../../src/application/kernel/queue-directory.js';
import { WakeUps } from '../../../src/application/kernel/wake-ups.port.js';
import { LocalWakeUps } from '../../../src/infrastructure/notify/local-wake-ups.js';
import { ResourceStates } from '../../../src/application/resources/resource-states.port.js';
import { KnownViews } from '../../../src/application/views/known-views.port.js';
import { Turns } from '../../../src/application/kernel/turns.port.js';
import { TriggerStates } from '../../../src/application/triggers/trigger-states.port.js';
import { OperationRecord } from '../../../src/application/bulk-operations/operation-record.port.js';
import { Erasures } from '../../../src/application/erasures/erasures.port.js';
import { NotaryReport } from '../../../src/application/notary/notary-report.port.js';
import { Forgetting } from '../../../src/application/kernel/forgetting.port.js';
import { KnownFailureGroups } from '../../../src/application/failure-groups/known-failure-groups.port.js';
import { ImpossibleErasures } from '../../../src/infrastructure/ports/impossible-erasures.js';
import { PostgresOperationRecord } from '../../../src/infrastructure/ports/postgres-operation-record.js';
import { PostgresFailureGroups } from '../../../src/infrastructure/ports/postgres-failure-groups.js';
import { PostgresKnownViews } from '../../../src/infrastructure/ports/postgres-known-views.js';
import { IndexLook } from '../../../src/application/bulk-operations/index-look.port.js';
import { KeyFailures } from '../../../src/application/tasks/key-failures.port.js';
import { BatchMembers } from '../../../src/application/batches/batch-members.port.js';
import { PostgresBatchMembers } from '../../../src/infrastructure/dispatch-index/postgres-batch-members.js';
import { Presets } from '../../../src/application/queues/presets.port.js';
import { FilePresets } from '../../../src/infrastructure/ports/file-presets.js';
import { PostgresIdempotencyKeys } from '../../../src/infrastructure/dispatch-index/postgres-idempotency-keys.js';
import { PostgresIndexRows } from '../../../src/infrastructure/dispatch-index/postgres-index-rows.js';
import { PostgresQuarantine } from '../../../src/infrastructure/dispatch-index/postgres-quarantine.js';
import { PostgresResourceStates } from '../../../src/infrastructure/dispatch-index/postgres-resource-states.js';
import { PostgresTurns } from '../../../src/infrastructure/ports/postgres-turns.js';
import { PostgresTriggerStates } from '../../../src/infrastructure/dispatch-index/postgres-trigger-states.js';
import { PostgresIndexLook } from '../../../src/infrastructure/dispatch-index/postgres-index-look.js';
import { PostgresKeyFailures } from '../../../src/infrastructure/dispatch-index/postgres-key-failures.js';
import { DatabaseClock } from '../../../src/infrastructure/database/database-clock.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

const IN_TIME = 120_000;

/** The use cases on Postgres, without the claimer and the lease repository: the tests append claims. */
export class PostgresApplication {
  private constructor(
    readonly db: PostgresFixture,
    private readonly module: TestingModule,
  ) {}

  static async start(): Promise<PostgresApplication> {
    const db = await openPostgresStore();
    const clock = new DatabaseClock(db.pool);
    await clock.sample();
    const imports = [CqrsModule.forRoot(), ports(db, clock), ApplicationModule];
    const module = await Test.createTestingModule({ imports }).compile();
    await module.init();
    return new PostgresApplication(db, module);
  }

  get commands(): CommandBus {
    return this.module.get(CommandBus);
  }

  get queues(): QueueDirectory {
    return this.module.get(QueueDirectory);
  }

  get<T>(type: Type<T>): T {
    return this.module.get(type);
  }

  async stop(): Promise<void> {
    await this.module.close();
    await this.db.close();
  }

  /** The n-th event of this type after `after`. Waits for it like a subscriber. */
  async next(type: string, after = 0n, nth = 1): Promise<RecordedEvent> {
    const signal = AbortSignal.timeout(IN_TIME);
    let left = nth;
    for await (const events of this.db.store.subscribe(after, { signal })) {
      for (const recorded of events) if (recorded.event.type === type && --left === 0) return recorded;
    }
    throw new Error(`Expected ${nth} '${type}' after position ${after} within ${IN_TIME} ms, but ${left} did not come`);
  }
}

function ports({ pool, store, wakeUps }: PostgresFixture, clock: Clock): Type {
  const providers = [
    { provide: EventStore, useValue: store },
    { provide: Clock, useValue: clock },
    { provide: Presets, useClass: FilePresets },
    { provide: IndexRows, useFactory: () => new PostgresIndexRows(pool, store, wakeUps) },
    { provide: BatchMembers, useFactory: () => new PostgresBatchMembers(pool) },
    { provide: TaskLog, useValue: {} },
    { provide: TaskProgress, useValue: {} },
    { provide: NotaryReport, useValue: { lost: async () => null, key: async () => null } },
    { provide: Erasures, useClass: ImpossibleErasures },
    { provide: Forgetting, useExisting: Erasures },
    { provide: PayloadStore, useClass: NoPayloadStore },
    { provide: OperationRecord, useFactory: () => new PostgresOperationRecord(pool) },
    { provide: KnownFailureGroups, useFactory: () => new PostgresFailureGroups(pool) },
    { provide: KnownViews, useFactory: () => new PostgresKnownViews(pool) },
    { provide: IndexLook, useFactory: () => new PostgresIndexLook(pool) },
    { provide: KeyFailures, useFactory: () => new PostgresKeyFailures(pool) },
    { provide: Quarantine, useFactory: () => new PostgresQuarantine(pool, wakeUps) },
    { provide: ResourceStates, useFactory: () => new PostgresResourceStates(pool) },
    { provide: TriggerStates, useFactory: () => new PostgresTriggerStates(pool) },
    { provide: Turns, useFactory: () => new PostgresTurns(pool) },
    { provide: ClaimSource, useValue: {} },
    { provide: WakeUps, useValue: new LocalWakeUps() },
    { provide: WorkerPresence, useValue: { asks: () => () => {}, doesNotKnow: () => {} } },
    { provide: LeaseRepository, useValue: {} },
    { provide: IdempotencyKeys, useFactory: () => new PostgresIdempotencyKeys(pool) },
  ];
  @Global()
  @Module({ providers, exports: providers })
  class Ports {}
  return Ports;
}
