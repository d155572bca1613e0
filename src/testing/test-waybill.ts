import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  assertKnown,
  createWaybill,
  type Duration,
  type Handler,
  type OptionNames,
  type QueueHandle,
  type TaskFunctions,
  type Transport,
  type Waybill,
  type Worker,
  type WorkerOptions,
} from '@waybill/client';
import { Operations } from '../api/operations/operations.js';
import { EventStore } from '../application/kernel/event-store.port.js';
import { WakeUps } from '../application/kernel/wake-ups.port.js';
import { Config, readsOf } from '../bootstrap/config.js';
import { Roles } from '../bootstrap/roles.js';
import { EmbeddedModule } from '../embedded/embedded.module.js';
import { InProcessTransport } from '../in-process/in-process-transport.js';
import { Steward } from '../steward/steward.js';
import { assertEnqueued, type EnqueuedTask, enqueuedIn } from './assertions.js';
import { ClaimGate } from './claim-gate.js';
import { DueThings } from './due-things.js';
import { millisecondsOf } from './milliseconds.js';
import { NoTargets } from './no-targets.js';
import { PayloadsInMemory } from './payloads-in-memory.js';
import { TestClock } from './test-clock.js';
import { createTestDatabase, type TestDatabase } from './test-databases.js';

export interface TestWaybillOptions {
  /** Where the clock stands at first; by default at the time of the start. */
  readonly now?: Date | string;
  /** A Postgres in which the tests may create databases. If absent, one is started that all tests of this user share. */
  readonly databaseUrl?: string;
  /** The actor that the history records for what the client does; `test` by default. */
  readonly actor?: string;
  /** What is told of failed attempts, as the option of workers; by default the console, `null` for nothing. */
  readonly logger?: WorkerOptions['logger'];
}

const OPTIONS: OptionNames<TestWaybillOptions> = { now: true, databaseUrl: true, actor: true, logger: true };

/** All that works in the background but the sweeper, whose work the test's clock begins. */
const ROLES = ['projector', 'reactor', 'relay', 'steward'] as const;

/** How long the handlers of a drain may take, in real time. */
const PATIENCE_MS = 30_000;
/** Of a handler that did not end by then. */
const GRACE_MS = 1_000;

/**
 * A Waybill for tests: the real service in this process, on a database of its own, with a clock that stands still until the test moves it. Nothing runs but
 * within `drain` and `advance`.
 */
export class TestWaybill {
  private readonly handlers = new Map<string, (worker: Worker) => void>();
  private readonly due: DueThings;
  private readonly transport: InProcessTransport;
  private stopping: Promise<void> | null = null;
  /** A client as in production. */
  readonly waybill: Waybill;

  private constructor(
    private readonly context: INestApplicationContext,
    private readonly database: TestDatabase,
    private readonly clock: TestClock,
    private readonly asked: Pick<TestWaybillOptions, 'actor' | 'logger'>,
  ) {
    this.due = new DueThings(context);
    this.transport = new InProcessTransport(context.get(Operations));
    this.waybill = this.clientOf(this.transport);
  }

  static async start(options: TestWaybillOptions = {}): Promise<TestWaybill> {
    assertKnown('TestWaybill', options, OPTIONS);
    const { now = new Date(), databaseUrl } = options;
    const clock = TestClock.at(timeOf(now));
    const database = await createTestDatabase(databaseUrl);
    try {
      await clock.set(clock.now(), database);
      const context = await contextOf(database.url, clock);
      context.get(Roles).start(context.get(Steward));
      return new TestWaybill(context, database, clock, options);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** Where the clock stands. */
  now(): Date {
    return this.clock.now();
  }

  /** Registers a handler as `worker.handle` does. It runs within `drain` and `advance`, one task of each queue at a time. */
  handle<Payload = any>(queue: string | QueueHandle<Payload>, handler: Handler<Payload>): this;
  handle(functions: TaskFunctions): this;
  handle(of: string | QueueHandle | TaskFunctions, handler?: Handler<any>): this {
    const queue = queueOf(of);
    if (this.handlers.has(queue)) throw new Error(`Expected one handler of queue '${queue}', but got a second`);
    this.handlers.set(queue, (worker) =>
      handler === undefined ? worker.handle(of as TaskFunctions) : worker.handle(queue, handler),
    );
    return this;
  }

  /** Runs the handlers until no task is ready for them and everything that is due has happened. */
  async drain(): Promise<void> {
    if (this.handlers.size === 0) return void (await this.due.happen());
    const gate = new ClaimGate(this.transport);
    const workers = this.workersAt(gate);
    const stopListening = this.context.get(WakeUps).onQueueReady((queue) => gate.lookAgain(queue));
    try {
      await Promise.all(workers.map((worker) => worker.start()));
      await this.untilNothingHappens(gate);
    } finally {
      stopListening();
      gate.close();
      await Promise.all(workers.map((worker) => worker.stop()));
    }
  }

  /**
   * Lets time pass, from one due time to the next: retries, leases, triggers and limits become due in their order, and the handlers run at each, as with a worker that
   * is always there.
   */
  async advance(by: Duration): Promise<void> {
    const end = this.clock.now().getTime() + millisecondsOf(by);
    let [head, leastMs] = [await this.drained(), 1];
    for (;;) {
      const nextInMs = await this.due.nextInMs();
      if (nextInMs === null || this.clock.now().getTime() + nextInMs > end) break;
      await this.move(Math.min(end, this.clock.now().getTime() + Math.max(leastMs, Math.ceil(nextInMs))));
      const after = await this.drained();
      if (this.clock.now().getTime() === end) break;
      // What is due and stays so, such as a lease for which somebody else has time, must not make the steps many.
      leastMs = after === head ? 2 * leastMs : 1;
      head = after;
    }
    await this.move(end);
    await this.drain();
  }

  /** The tasks that were added to the queue, the oldest first. */
  enqueued<Payload = unknown>(queue: string): Promise<readonly EnqueuedTask<Payload>[]> {
    return enqueuedIn<Payload>(this.waybill, queue);
  }

  /** Throws `AssertionError` unless the queue got a task whose payload has at least these values. */
  assertEnqueued(queue: string, payload?: unknown): Promise<void> {
    return assertEnqueued(this.waybill, queue, payload);
  }

  /** Removes everything. Safe to call twice. */
  stop(): Promise<void> {
    return (this.stopping ??= this.end());
  }

  private async end(): Promise<void> {
    this.transport.close();
    try {
      await this.context.close();
    } finally {
      await this.database.close();
    }
  }

  private clientOf(transport: Transport): Waybill {
    return createWaybill({ transport, actor: this.asked.actor ?? 'test' });
  }

  private workersAt(gate: ClaimGate): readonly Worker[] {
    const waybill = this.clientOf(gate);
    const { logger } = this.asked;
    return [...this.handlers].map(([queue, register]) => {
      const worker = waybill.worker({
        name: `test of ${queue}`,
        concurrency: 1,
        aheadMs: 0,
        graceMs: GRACE_MS,
        logger,
      });
      register(worker);
      return worker;
    });
  }

  private async untilNothingHappens(gate: ClaimGate): Promise<void> {
    const patience = AbortSignal.timeout(PATIENCE_MS);
    const store = this.context.get(EventStore);
    for (let before = -1n, now = await store.head(); before !== now;) {
      before = now;
      gate.lookAgain();
      const running = await gate.allStand([...this.handlers.keys()], patience);
      if (running.length > 0) throw new Error(stillRunning(running));
      now = await this.due.happen();
    }
  }

  private async drained(): Promise<bigint> {
    await this.drain();
    return this.context.get(EventStore).head();
  }

  private async move(ms: number): Promise<void> {
    await this.clock.set(new Date(ms), this.database);
  }
}

const queueOf = (of: string | QueueHandle | TaskFunctions): string => {
  if (typeof of === 'string') return of;
  return 'handler' in of ? of.queue.name : of.name;
};

const stillRunning = (queues: readonly string[]): string =>
  `Expected all handlers to end within ${PATIENCE_MS} ms, but that of '${queues.join("', '")}' still runs: it must not wait for a task of its own queue, nor for a time that the test's clock moves`;

const timeOf = (now: Date | string): Date => {
  const time = new Date(now);
  if (Number.isNaN(time.getTime())) throw new TypeError(`Expected 'now' to be a time, but it is '${String(now)}'`);
  return time;
};

function contextOf(databaseUrl: string, clock: TestClock): Promise<INestApplicationContext> {
  const config = new Config();
  const core = {
    databaseUrl,
    poolSize: 10,
    reads: readsOf(config),
    roles: ROLES,
    clock,
    payloads: new PayloadsInMemory(),
  };
  return NestFactory.createApplicationContext(EmbeddedModule.for(core, config, new NoTargets()), {
    // Its warnings are of what a test does on purpose, such as a task that fails.
    logger: ['fatal', 'error'],
    abortOnError: false,
  });
}
