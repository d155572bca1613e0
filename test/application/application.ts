import { PayloadStore } from '../../src/application/kernel/payload-store.port.js';
import { NoPayloadStore } from '../../src/infrastructure/payloads/no-payload-store.js';
import { Global, Module, type Type } from '@nestjs/common';
import { CommandBus, CqrsModule, type Command } from '@nestjs/cqrs';
import { Test } from '@nestjs/testing';
import { uuidv7 } from 'uuidv7';
import { ApplicationModule } from '../../src/application/application.module.js';
import {
  type ClaimAnswer,
  type ClaimRequest,
  ClaimSource,
  NOTHING_TO_CLAIM,
} from '../../src/application/claims/claim-source.port.js';
import { TaskClaimer } from '../../src/application/claims/task-claimer.js';
import { TaskLog } from '../../src/application/claims/task-log.port.js';
import { TaskProgress } from '../../src/application/claims/task-progress.port.js';
import { WorkerPresence } from '../../src/application/claims/worker-presence.port.js';
import { Refused, type Rejection } from '../../src/application/kernel/application-error.js';
import { Clock } from '../../src/application/kernel/clock.port.js';
import type { CommandContext, Receipt } from '../../src/application/kernel/command-context.js';
import { DeciderRunner } from '../../src/application/kernel/decider-runner.js';
import { EventStore, type RecordedEvent } from '../../src/application/kernel/event-store.port.js';
import { Quarantine } from '../../src/application/kernel/quarantine.port.js';
import { WakeUps } from '../../src/application/kernel/wake-ups.port.js';
import { IdempotencyKeys, type UnrecordedAnswer } from '../../src/application/kernel/idempotency-keys.port.js';
import { IndexRows } from '../../src/application/kernel/index-rows.port.js';
import {
  LeaseRepository,
  type LeaseCheck,
  type LeaseExtension,
  type LeaseRef,
} from '../../src/application/kernel/lease-repository.port.js';
import { ChangePolicy } from '../../src/application/queues/change-policy.handler.js';
import { DefineQueue } from '../../src/application/queues/define-queue.handler.js';
import type { PolicyChanges } from '../../src/application/queues/policy-changes.js';
import {
  EnqueueTasks,
  type EnqueueItem,
  type EnqueueOutcome,
} from '../../src/application/tasks/enqueue-tasks.handler.js';
import { BatchMembers } from '../../src/application/batches/batch-members.port.js';
import { Presets } from '../../src/application/queues/presets.port.js';
import { ResourceStates } from '../../src/application/resources/resource-states.port.js';
import { KnownViews } from '../../src/application/views/known-views.port.js';
import { Turns } from '../../src/application/kernel/turns.port.js';
import { TriggerStates } from '../../src/application/triggers/trigger-states.port.js';
import { IndexLook } from '../../src/application/bulk-operations/index-look.port.js';
import { OperationRecord } from '../../src/application/bulk-operations/operation-record.port.js';
import { KnownFailureGroups } from '../../src/application/failure-groups/known-failure-groups.port.js';
import { Erasures } from '../../src/application/erasures/erasures.port.js';
import { NotaryReport } from '../../src/application/notary/notary-report.port.js';
import { Forgetting } from '../../src/application/kernel/forgetting.port.js';
import { KeyFailures } from '../../src/application/tasks/key-failures.port.js';
import { queueStream } from '../../src/domain/queue/queue.stream.js';
import { taskDecider } from '../../src/domain/task/task.decider.js';
import { taskStream } from '../../src/domain/task/task.stream.js';
import { MemoryEventStore } from '../support/memory-event-store/memory-event-store.js';
import { FilePresets } from '../../src/infrastructure/ports/file-presets.js';
import { ImpossibleErasures } from '../../src/infrastructure/ports/impossible-erasures.js';
import { LocalWakeUps } from '../../src/infrastructure/notify/local-wake-ups.js';

/** Counts the calls of the store, and can run something right after a refusal. */
export class CountingStore extends MemoryEventStore {
  appends = 0;
  reads = 0;

  afterRefusal: (() => Promise<unknown>) | null = null;

  override async append(...args: Parameters<MemoryEventStore['append']>): ReturnType<MemoryEventStore['append']> {
    this.appends += 1;
    const results = await super.append(...args);
    const happening = results.some(({ kind }) => kind === 'refused') ? this.afterRefusal : null;
    if (happening) this.afterRefusal = null;
    await happening?.();
    return results;
  }

  override readStreams(streams: readonly string[]): ReturnType<MemoryEventStore['readStreams']> {
    this.reads += 1;
    return super.readStreams(streams);
  }
}

/** A clock that stands still until the test moves it. */
export class HandClock extends Clock {
  private time = new Date();

  now(): Date {
    return this.time;
  }

  set(time: string): void {
    this.time = new Date(time);
  }
}

/** Gives out nothing, and records the claims. */
export class EmptyClaimer {
  readonly requests: ClaimRequest[] = [];

  claim(request: ClaimRequest): Promise<ClaimAnswer> {
    this.requests.push(request);
    return Promise.resolve(NOTHING_TO_CLAIM);
  }
}

/** Has the leases that the test adds. */
export class ListedLeases extends LeaseRepository {
  private tokens = 0;

  runsOf(): Promise<number> {
    return Promise.resolve(0);
  }

  async nextToken(): Promise<string> {
    return String(++this.tokens);
  }

  readonly standing = new Set<string>();

  passOn(): Promise<void> {
    return Promise.resolve();
  }

  extend(leases: readonly LeaseRef[]): Promise<readonly LeaseExtension[]> {
    return Promise.resolve(
      leases.map(({ taskId, token, secret }) =>
        this.standing.has(`${token}.${secret}`)
          ? { taskId, kind: 'extended', deadline: '2026-11-21T09:00:00.000Z', cancelRequested: false }
          : { taskId, kind: 'lost' },
      ),
    );
  }

  async check(leases: readonly LeaseRef[]): Promise<readonly LeaseCheck[]> {
    return (await this.extend(leases)).map((one) => (one.kind === 'lost' ? one : { ...one, kind: 'standing' }));
  }
}

/** Knows no key in advance, so that the append's condition must find it, and stores no answer. */
class NoKeys extends IdempotencyKeys {
  answerUnder(): Promise<null> {
    return Promise.resolve(null);
  }

  remember(answers: readonly UnrecordedAnswer[]): Promise<null[]> {
    return Promise.resolve(answers.map(() => null));
  }
}

export class ListedFailures extends KeyFailures {
  tasks: string[] = [];

  of(): Promise<readonly string[]> {
    return Promise.resolve(this.tasks);
  }
}

export const SECRET = '0190a000-0000-7000-8000-000000000001';

/** The use cases on an event store in memory. */
export class TestApplication {
  readonly clock = new HandClock();
  readonly claimer = new EmptyClaimer();
  readonly leases = new ListedLeases();
  readonly failures = new ListedFailures();
  private commands!: CommandBus;
  private runner!: DeciderRunner;

  private constructor(readonly store: CountingStore) {}

  /** Two applications on one store behave like two processes. */
  static async start(store = new CountingStore(new LocalWakeUps())): Promise<TestApplication> {
    const app = new TestApplication(store);
    const module = await Test.createTestingModule({
      imports: [CqrsModule.forRoot(), app.ports(), ApplicationModule],
    })
      .overrideProvider(TaskClaimer)
      .useValue(app.claimer)
      .compile();
    await module.init();
    app.commands = module.get(CommandBus);
    app.runner = module.get(DeciderRunner);
    return app;
  }

  execute<R>(command: Command<R>): Promise<R> {
    return this.commands.execute(command);
  }

  /** The rejection of the command. */
  async refusal(command: Command<unknown>): Promise<Rejection> {
    const error: unknown = await this.execute(command).then(
      () => new Error(`Expected ${command.constructor.name} to be refused, but it was not`),
      (thrown: unknown) => thrown,
    );
    if (error instanceof Refused) return error.rejection;
    throw error;
  }

  defineQueue(name: string, policy: PolicyChanges = {}): Promise<Receipt> {
    return this.execute(new DefineQueue(name, '', policy, by('admin')));
  }

  changePolicy(name: string, policy: PolicyChanges): Promise<Receipt> {
    return this.execute(new ChangePolicy(name, null, policy, null, by('admin')));
  }

  enqueue(items: readonly EnqueueItem[], context = by('producer')): Promise<readonly EnqueueOutcome[]> {
    return this.execute(new EnqueueTasks(items, context));
  }

  /** Enqueues one task and returns its id. */
  async enqueued(item: Partial<EnqueueItem> & { readonly queue: string }): Promise<string> {
    const [outcome] = await this.enqueue([{ taskId: uuidv7(), ...item }]);
    if (outcome!.kind !== 'done') throw new Error(`Expected the task to be enqueued, but ${JSON.stringify(outcome)}`);
    return outcome!.receipt.id;
  }

  /** Claims the task like the claimer would, and returns the worker's token. */
  async claimed(taskId: string, number: string, worker = 'w1'): Promise<string> {
    const claim = { token: number, claimId: uuidv7(), worker, server: 's1', leaseMs: 30_000, waitedMs: 0 };
    const command = { type: 'ClaimTask' as const, now: this.clock.iso(), by: worker, ...claim };
    const outcome = await this.runner.run(
      taskDecider,
      { stream: taskStream(taskId), command, load: 'whole' },
      by(worker),
    );
    if (outcome.kind !== 'accepted') throw new Error(`Expected the task to be claimed, but ${JSON.stringify(outcome)}`);
    return `${number}.${SECRET}`;
  }

  async eventsOfTask(taskId: string): Promise<readonly RecordedEvent[]> {
    return (await this.store.readStreams([taskStream(taskId)]))[0]!;
  }

  async eventsOfQueue(name: string): Promise<readonly RecordedEvent[]> {
    return (await this.store.readStreams([queueStream(name)]))[0]!;
  }

  private ports(): Type {
    const { store, clock, leases, failures } = this;
    const providers = [
      { provide: EventStore, useValue: store },
      { provide: Clock, useValue: clock },
      { provide: IndexRows, useValue: { mend: async () => [], recount: async () => new Set() } },
      { provide: ClaimSource, useValue: { earlier: async () => null } },
      { provide: WakeUps, useValue: new LocalWakeUps() },
      { provide: WorkerPresence, useValue: { asks: () => () => {}, doesNotKnow: () => {} } },
      { provide: LeaseRepository, useValue: leases },
      { provide: TaskLog, useValue: {} },
      { provide: TaskProgress, useValue: {} },
      { provide: IndexLook, useValue: {} },
      { provide: OperationRecord, useValue: {} },
      { provide: NotaryReport, useValue: { lost: async () => null, key: async () => null } },
      { provide: Erasures, useClass: ImpossibleErasures },
      { provide: Forgetting, useExisting: Erasures },
      { provide: PayloadStore, useClass: NoPayloadStore },
      { provide: KnownFailureGroups, useValue: { has: async () => true } },
      { provide: KnownViews, useValue: { others: async () => 0 } },
      { provide: KeyFailures, useValue: failures },
      { provide: Quarantine, useValue: { add: () => Promise.resolve() } },
      { provide: ResourceStates, useValue: { missing: async () => null } },
      { provide: TriggerStates, useValue: { named: async () => null } },
      { provide: Turns, useValue: { alone: (_: unknown, work: () => unknown) => work() } },
      { provide: Presets, useClass: FilePresets },
      { provide: BatchMembers, useValue: {} },
      { provide: IdempotencyKeys, useClass: NoKeys },
    ];
    @Global()
    @Module({ providers, exports: providers })
    class Ports {}
    return Ports;
  }
}

export const by = (actor: string, more: Partial<CommandContext> = {}): CommandContext => ({
  actor,
  correlationId: 'test',
  ...more,
});

export const typesOf = (events: readonly RecordedEvent[]): string[] => events.map(({ event }) => event.type);
