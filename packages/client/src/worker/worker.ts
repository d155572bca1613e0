import type { WorkerLabels } from '@waybill/contracts';
import { assertOptions } from '../call-options.js';
import type { Caller } from '../caller.js';
import { assertTime } from '../clock.js';
import type { TaskFunctions } from '../functions/task-functions.js';
import type { QueueHandle } from '../queue-handle.js';
import type { Handler } from './attempt.js';
import { programBuild, serverName, workerName } from './identity.js';
import { diskUse, type Gauge, keepMeasuring, type Watch, watchOf, type WatchOptions } from './measures.js';
import {
  WorkerEvents,
  type Listener,
  type Logger,
  loggerOf,
  type WorkerEventMap,
  type StopReport,
} from './worker-events.js';
import { type Planner, plannerHandler } from './planner.js';
import { MOST_OF_A_CLAIM, Session, type SessionPlan } from './session.js';

export interface WorkerOptions {
  /** The worker's name in histories; by default the host name and process id. */
  readonly name?: string;
  /** The server that it runs on; by default the host name. */
  readonly server?: string;
  /**
   * The version of its program, which its claims record; by default that of the nearest package.json that has one, from
   * the program's file upwards. Null for none.
   */
  readonly build?: string | null;
  /**
   * What it offers, such as `{ gpu: true, site: 'paris' }`: it gets tasks that need nothing else of their worker. By default nothing, for tasks that need
   * nothing.
   */
  readonly offers?: WorkerLabels;
  /** The most tasks that it holds at once, over all queues; 10 by default. */
  readonly concurrency?: number;
  /** The most tasks that one claim asks for, besides the number of free slots; 1000 by default, and at most. */
  readonly prefetch?: number;
  /**
   * If it has one queue, it claims ahead as many tasks as its handlers begin within this time, at most 20 for each slot,
   * so that short handlers do not wait for claims. What waits for a handler longer than a second goes back. 50 by
   * default; 0 for none.
   */
  readonly aheadMs?: number;
  /** If absent, the queue's policy decides. Must be longer than any block of the event loop, which delays heartbeats. */
  readonly leaseMs?: number;
  /** How long a claim waits for a task, at most 60000; 30000 by default. */
  readonly waitMs?: number;
  /** The most time that `stop` takes. Handlers are aborted in its last second (or half); 10000 by default. */
  readonly graceMs?: number;
  /**
   * How long a handler may go on after its task is lost or cancelled. Then its slot is free again, and `stuck` tells of it;
   * 30000 by default.
   */
  readonly stuckAfterMs?: number;
  /** Receives what an operator should know, such as pino: `warn(fields, message)`; by default the console, `null` for none. */
  readonly logger?: Logger | null;
}

/** Named here, so that the declarations of this package need no types of Node. */
export type StopSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGQUIT' | 'SIGBREAK' | 'SIGUSR1' | 'SIGUSR2';

/** The service's bounds. A worker that asks for more would be refused for ever. */
const WAIT_MS = { max: 60_000 };
const LEASE_MS = { min: 1_000, max: 12 * 3_600_000 };

const NOTHING: StopReport = { returned: [], abandoned: [] };

/** Claims tasks, runs their handlers and reports the outcomes. */
export class Worker {
  readonly name: string;
  private readonly events: WorkerEvents;
  private readonly handlers = new Map<string, Handler>();
  private readonly watches: Watch[] = [];
  private watching = new AbortController();
  private session: Session | null = null;
  private stopping: Promise<StopReport> | null = null;

  constructor(
    private readonly caller: Caller,
    private readonly options: WorkerOptions = {},
    /** The running workers of the client, of which this one becomes one. */
    private readonly running: Set<Worker> = new Set(),
  ) {
    assertOptions('worker', options);
    for (const name of ['concurrency', 'prefetch'] as const) assertCount(name, options[name]);
    assertTime('aheadMs', options.aheadMs);
    assertTime('graceMs', options.graceMs);
    assertTime('stuckAfterMs', options.stuckAfterMs);
    assertTime('waitMs', options.waitMs, WAIT_MS);
    assertTime('leaseMs', options.leaseMs, LEASE_MS);
    this.name = options.name ?? workerName();
    this.events = new WorkerEvents(loggerOf(options.logger));
  }

  /** Registers the handler of a queue, or task functions. Call it before the start, once per queue. */
  handle<Payload = any>(queue: string | QueueHandle<Payload>, handler: Handler<Payload>): this;
  handle(functions: TaskFunctions): this;
  handle(of: string | QueueHandle | TaskFunctions, given?: Handler<any>): this {
    const queue = nameOf(of);
    const handler = given ?? (of as TaskFunctions).handler;
    if (this.session !== null)
      throw new Error(`Expected to add the handler of queue '${queue}' before the start, but the worker runs`);
    if (this.handlers.has(queue)) throw new Error(`Expected one handler of queue '${queue}', but got a second`);
    this.handlers.set(queue, handler);
    return this;
  }

  /**
   * Measures a resource from the start of the worker until its stop, at once and then every `everyMs`. The service
   * counts a resource as short if nobody has measured it for too long.
   */
  watch(resource: string, gauge: Gauge, options: WatchOptions = {}): this {
    if (this.session !== null)
      throw new Error(`Expected to watch resource '${resource}' from the start, but the worker runs`);
    this.watches.push(watchOf(resource, gauge, options));
    return this;
  }

  /** Measures how full the file system of a path is, in percent. */
  watchDisk(resource: string, path: string, options: WatchOptions = {}): this {
    return this.watch(resource, diskUse(path), options);
  }

  /** Registers the planner of the tasks of a queue that plan batches. */
  plan<Payload = any>(queue: string | QueueHandle<Payload>, planner: Planner<Payload>): this {
    return this.handle<Payload>(queue, plannerHandler(this.caller.as(this.name), planner));
  }

  on<N extends keyof WorkerEventMap>(notice: N, listener: Listener<N>): this {
    this.events.on(notice, listener);
    return this;
  }

  /** Starts to claim. The service need not be reachable yet: the worker keeps trying. A second call has no effect. */
  async start(): Promise<void> {
    if (this.stopping !== null)
      throw new Error('Expected to start the worker, but it is stopping: await its stop() first');
    if (this.handlers.size === 0) throw new Error('Expected a handler before the start, but the worker has none');
    const plan = this.sessionPlan();
    if (this.session !== null) return;
    const caller = this.caller.as(this.name);
    this.session = caller.config.telemetry.detached(() => new Session(caller, this.events, plan));
    this.running.add(this);
    this.watching = new AbortController();
    for (const watch of this.watches) void keepMeasuring(watch, caller, this.events, this.watching.signal);
  }

  /** The service takes whole milliseconds. */
  private sessionPlan(): SessionPlan {
    const { prefetch = MOST_OF_A_CLAIM, concurrency = 10, waitMs = 30_000, graceMs = 10_000 } = this.options;
    const { stuckAfterMs = 30_000, aheadMs = 50, leaseMs, server = serverName() } = this.options;
    const { build = programBuild() ?? null, offers } = this.options;
    const lease = leaseMs === undefined ? {} : { leaseMs: Math.round(leaseMs) };
    return {
      handlers: this.handlers,
      claimant: { worker: this.name, server, ...(build !== null && { build }), ...(offers && { offers }), ...lease },
      concurrency,
      prefetch: Math.min(prefetch, MOST_OF_A_CLAIM),
      waitMs: Math.round(waitMs),
      graceMs,
      stuckAfterMs,
      aheadMs,
    };
  }

  /** Stops the worker. Resolves when it has stopped, except for the abandoned tasks that the report lists. */
  stop(): Promise<StopReport> {
    if (this.session === null) return Promise.resolve(NOTHING);
    this.stopping ??= this.end(this.session);
    return this.stopping;
  }

  /**
   * Stops at SIGTERM or SIGINT; a second signal ends the process at once. Resolves when the worker
   * has stopped, by signal or by call, so that the application can clean up. It does not end the process.
   */
  stopOnSignals(signals: readonly StopSignal[] = ['SIGTERM', 'SIGINT']): Promise<StopReport> {
    return new Promise((resolve) => {
      const stop = (): void => {
        forget();
        void this.stop();
      };
      const forget = (): void => signals.forEach((signal) => process.off(signal, stop));
      signals.forEach((signal) => process.on(signal, stop));
      this.on('stopped', (report) => {
        forget();
        resolve(report);
      });
    });
  }

  private async end(session: Session): Promise<StopReport> {
    this.watching.abort();
    const report = await session.stop();
    this.running.delete(this);
    this.session = null;
    this.stopping = null;
    this.events.tell('stopped', report);
    return report;
  }
}

function nameOf(of: string | QueueHandle | TaskFunctions): string {
  if (typeof of === 'string') return of;
  return 'handler' in of ? of.queue.name : of.name;
}

function assertCount(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) return;
  throw new RangeError(`Expected ${name} to be a whole number of tasks, 1 or more, but it is ${value}`);
}
