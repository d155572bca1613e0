import type { Caller } from '../caller.js';
import type { Handler } from './attempt.js';
import { serverName, workerName } from './identity.js';
import { WorkerEvents, type Listener, type Logger, type WorkerEventMap, type StopReport } from './worker-events.js';
import { Session } from './session.js';

export interface WorkerOptions {
  /** Who claims, in every task's history; host name and process id by default. */
  readonly name?: string;
  /** Where it runs; the host's name by default. */
  readonly server?: string;
  /** Tasks held at once, over all queues; 10 by default. */
  readonly concurrency?: number;
  /** Tasks that one claim asks for at most, and never more than there are free slots; no further limit by default. */
  readonly prefetch?: number;
  /** The queue's policy decides when absent. It must outlive every stall of the event loop: nothing is renewed meanwhile. */
  readonly leaseMs?: number;
  /** How long a claim waits for a first task: up to 60000; 30000 by default. */
  readonly waitMs?: number;
  /** How long `stop` takes at most, the last second (or half) of it for handlers to obey; 10000 by default. */
  readonly graceMs?: number;
  /** Hears what an operator should know; the console by default, `null` for silence. */
  readonly logger?: Logger | null;
}

const NOTHING: StopReport = { returned: [], abandoned: [] };

/** Claims tasks, runs their handlers and reports what became of them. */
export class Worker {
  readonly name: string;
  private readonly events: WorkerEvents;
  private readonly handlers = new Map<string, Handler>();
  private session: Session | null = null;
  private stopping: Promise<StopReport> | null = null;

  constructor(
    private readonly caller: Caller,
    private readonly options: WorkerOptions = {},
  ) {
    for (const name of ['concurrency', 'prefetch'] as const) assertCount(name, options[name]);
    this.name = options.name ?? workerName();
    this.events = new WorkerEvents(options.logger === undefined ? console : options.logger);
  }

  /** Names the handler of a queue's tasks. Before the start, and one for each queue. */
  handle<Payload = any>(queue: string, handler: Handler<Payload>): this {
    if (this.session !== null)
      throw new Error(`Expected to add the handler of queue '${queue}' before the start, but the worker runs`);
    if (this.handlers.has(queue)) throw new Error(`Expected one handler of queue '${queue}', but got a second`);
    this.handlers.set(queue, handler as Handler);
    return this;
  }

  on<N extends keyof WorkerEventMap>(notice: N, listener: Listener<N>): this {
    this.events.on(notice, listener);
    return this;
  }

  /** Begins to claim. It needs no service to answer yet: the worker keeps trying. Starting twice is starting once. */
  async start(): Promise<void> {
    if (this.stopping !== null)
      throw new Error('Expected to start the worker, but it is stopping: await its stop() first');
    if (this.handlers.size === 0) throw new Error('Expected a handler before the start, but the worker has none');
    const { prefetch = Infinity, concurrency = 10, waitMs = 30_000, graceMs = 10_000, leaseMs, server } = this.options;
    const claimant = { worker: this.name, server: server ?? serverName(), ...(leaseMs !== undefined && { leaseMs }) };
    const plan = { handlers: this.handlers, claimant, concurrency, prefetch, waitMs, graceMs };
    this.session ??= new Session(this.caller.as(this.name), this.events, plan);
  }

  /** Resolves when nothing of the worker is at work any more, but for the abandoned tasks it names. */
  stop(): Promise<StopReport> {
    if (this.session === null) return Promise.resolve(NOTHING);
    this.stopping ??= this.end(this.session);
    return this.stopping;
  }

  /**
   * Stops at SIGTERM or SIGINT; a second signal then ends the process as if nobody listened. Resolves when the worker
   * has stopped, by signal or by call, so that the application can end what else it has: the process is not ended here.
   */
  stopOnSignals(signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT']): Promise<StopReport> {
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
    const report = await session.stop();
    this.session = null;
    this.stopping = null;
    this.events.tell('stopped', report);
    return report;
  }
}

function assertCount(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) return;
  throw new RangeError(`Expected ${name} to be a whole number of tasks, 1 or more, but it is ${value}`);
}
