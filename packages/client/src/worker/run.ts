import type { ErrorClass, ClaimedTask, Json, PrerequisiteResult, Settlement, SettleVerdict } from '@waybill/contracts';
import { PrerequisiteResults } from '../prerequisite-results.js';
import type { Task } from './task.js';
import * as verdicts from './verdicts.js';
import { Item, type SettleItemBy } from './item.js';
import type { LogOptions } from './log-lines.js';
import type { Progress } from './progress-bars.js';
import { type Duration, type WaitOptions, Waits } from './waits.js';
import { IllegalVerdict, type FailOptions, type Verdict } from './verdicts.js';

/**
 * Why a handler must stop. `offered`: the next step needs resources, so it begins with a claim of its own. `waiting`: the task waits
 * without a worker, and the handler runs anew after that.
 */
export type StopReason = 'cancel' | 'lease-lost' | 'shutdown' | 'offered' | 'waiting';

/** The reason of an aborted `run.signal`. If the handler lets it through, the worker acts according to `reason`. */
export class Stopped extends Error {
  override readonly name = 'AbortError';

  constructor(
    readonly reason: StopReason,
    task: Task,
  ) {
    super(`The handler of task '${task.taskId}' was asked to stop: ${reason}`);
  }
}

export interface StepOptions extends StepRecord {
  /** `continue` (default): this claim continues with the next step. `offer`: the task waits again, and any worker may claim it. */
  readonly then?: 'continue' | 'offer';
}

/** What is recorded with a completed step. */
export interface StepRecord {
  readonly result?: Json;
  /** Changes of the task's data, recorded with the step. A member that is null is removed. */
  readonly data?: Readonly<Record<string, Json>>;
  /** The task's new priority, if the queue lets workers change it. */
  readonly priority?: number;
  /** False: the last successful step stays as it is. */
  readonly mark?: boolean;
}

/** What a report led to. */
export type ReportOutcome = Pick<Settlement, 'state' | 'step' | 'lastSuccessfulStep' | 'waited'>;

/** What a run needs from its attempt. */
export interface RunContext {
  readonly signal: AbortSignal;
  /** Aborts when the worker stops. The handler may still have time. */
  readonly windDown: AbortSignal;
  /**
   * Reports to the service while the attempt continues. Throws the signal's reason if the task does not continue
   * although the report said so.
   */
  tell(verdict: SettleVerdict): Promise<ReportOutcome>;
  progressed(title: string, progress: Progress): void;
  said(text: string, options?: LogOptions): void;
  /** Asks the service, once for each call. */
  results(): Promise<readonly PrerequisiteResult[]>;
  /** The items of a job, and how to settle them. */
  readonly items?: { readonly tasks: readonly Task<any>[]; readonly settle: SettleItemBy };
}

/** One attempt, for its handler: ways to end it, to report from it, and to learn when to stop. */
export class Run<Payload = Json> {
  readonly attempt: number;
  /** The step to run (the first one, if the handler completes several); null for a task without steps. */
  readonly step: string | null;
  /** Grows with every claim of any task. Pass it to whatever the handler writes to, and let that refuse lower tokens. */
  readonly fencingToken: string;
  /** If a trigger made the task as a job: what it claimed for the job. Settle each of them. Empty for any other task. */
  readonly items: readonly Item<any>[];
  private readonly waits: Waits;

  constructor(
    readonly task: Task<Payload>,
    claimedTask: Pick<ClaimedTask, 'token'>,
    private readonly context: RunContext,
  ) {
    this.attempt = task.attempt;
    this.step = task.step;
    this.fencingToken = claimedTask.token.split('.')[0]!;
    const { tasks, settle } = context.items ?? NO_ITEMS;
    this.items = tasks.map((each) => new Item(each, settle));
    this.waits = new Waits((verdict) => context.tell(verdict));
  }

  /** Aborts when the handler should stop: see `stopReason`. Pass it on to whatever the handler waits for. */
  get signal(): AbortSignal {
    return this.context.signal;
  }

  /** Null while the handler may continue. */
  get stopReason(): StopReason | null {
    return this.signal.aborted ? (this.signal.reason as Stopped).reason : null;
  }

  /**
   * Whether the worker stops, or the handler must. While `signal` has not aborted, there is time to finish what has
   * begun, and to hand on the rest.
   */
  get stopping(): boolean {
    return this.signal.aborted || this.context.windDown.aborted;
  }

  /** Aborts when the worker stops, for the process that runs the handler: see `stopping`. */
  get windDown(): AbortSignal {
    return this.context.windDown;
  }

  succeed(result?: Json): Verdict {
    return verdicts.succeed(result);
  }

  /** Success: there was nothing to do. */
  noChange(): Verdict {
    return verdicts.noChange();
  }

  fail(errorClass: ErrorClass, message: string, options?: FailOptions): Verdict {
    return verdicts.fail(errorClass, message, options);
  }

  /** A `transient` failure. If the policy retries those, it waits this long. */
  retryLater(afterMs: number, message?: string): Verdict {
    return verdicts.retryLater(afterMs, message);
  }

  /** Gives the task back for at least so long. No attempt is spent, and nothing has failed. */
  postpone(afterMs: number): Verdict {
    return verdicts.postpone(afterMs);
  }

  /** The handler stopped because it was told to. Throwing the signal's reason means the same. */
  cancelled(): Verdict {
    if (this.stopReason === null) {
      throw new IllegalVerdict(
        `Expected a request to stop before run.cancelled() of task '${this.task.taskId}', but there was none: ` +
          'return run.fail(class, message) or run.retryLater(ms) instead',
      );
    }
    return stopped(this.stopReason);
  }

  /**
   * The step of this run is done. A handler of `steps` goes on with the next step if it has one for it. Otherwise the
   * task waits again, and any worker may claim it for the next step. After the last step the task succeeds.
   */
  done(recorded: StepRecord = {}): Verdict {
    if (this.step === null)
      throw new IllegalVerdict(
        `Expected run.done() in a step, but task '${this.task.taskId}' has no steps: return run.succeed(result) instead`,
      );
    return verdicts.stepDone(this.step, given('run.done', recorded));
  }

  /**
   * Records that a step is done. `await` it and continue, or `return` it to end the attempt: completing the last
   * step succeeds the task, and `offer` lets it wait again. Anything the handler returns afterwards is ignored. If the next step needs resources,
   * the task waits again, too, and the signal's reason is thrown.
   */
  async completeStep(name: string, options: StepOptions = {}): Promise<Verdict> {
    await this.context.tell({
      type: 'completeStep',
      step: name,
      then: 'continue',
      ...given('run.completeStep', options),
    });
    this.waits.nextStep();
    return verdicts.alreadyTold();
  }

  /**
   * The data of the signal, once somebody has given it (`task.signal`), also before the task asked. Until then the task waits without a
   * worker: the signal's reason is thrown, which the handler must let through. Afterwards the handler runs anew from
   * the beginning of its step, and each wait that has ended returns at once what it returned before. So keep what comes before
   * a wait harmless to repeat, or put it into a step of its own, and ask for the same waits in the same order.
   */
  waitFor<Data = Json>(signal: string, options: WaitOptions & { readonly onTimeout: 'continue' }): Promise<Data | null>;
  waitFor<Data = Json>(signal: string, options: WaitOptions): Promise<Data>;
  waitFor(signal: string, options: WaitOptions): Promise<Json> {
    return this.waits.waitFor(signal, options);
  }

  /** Waits as `waitFor` does, for a time alone: `await run.sleep('1h')`. */
  sleep(duration: Duration): Promise<void> {
    return this.waits.sleep(duration);
  }

  /**
   * Records data of the task at once, for later attempts and for the workers of later steps, which find them in
   * `task.data`. A member takes the place of the one of the same name, and null removes it; at most 64 KiB in all.
   */
  async record(data: Readonly<Record<string, Json>>): Promise<void> {
    await this.context.tell({ type: 'record', data });
  }

  /** Passes a report on as it is, for the process that runs the handler. */
  tell(verdict: SettleVerdict): Promise<ReportOutcome> {
    return this.context.tell(verdict);
  }

  /** The same attempt at another step, with reports of its own. */
  at(task: Task<Payload>, tell: RunContext['tell']): Run<Payload> {
    return new Run(task, { token: this.fencingToken }, { ...this.context, tell });
  }

  /**
   * The results of what the task waited for: `(await run.results()).of('assets')`. Asks the service, so that claims need not carry
   * them. Throws a `RangeError` if they do not fit in memory together.
   */
  async results(): Promise<PrerequisiteResults> {
    return new PrerequisiteResults(await this.context.results());
  }

  /** Records an error without ending the attempt, which may still succeed. */
  async reportError(error: unknown): Promise<void> {
    await this.context.tell({ type: 'reportError', error: verdicts.reportOf(error) });
  }

  /**
   * Shows how far the work is, as the bar of this title: `run.progress('files', { end: 120, position: 7 })`. Costs no
   * request of its own: the worker sends what changed with a heartbeat, at most once a second. Up to 50 bars.
   */
  progress(title: string, progress: Progress): void {
    this.context.progressed(title, progress);
  }

  /**
   * Adds a line to the log of the task, beside its history: `run.log('charged', { fields: { order: 7 } })`. Costs no request of
   * its own, as `progress`. The service keeps the last 1,000 lines of a task, each for 14 days. Longer text and fields than 4 KiB are cut.
   */
  log(text: string, options?: LogOptions): void {
    this.context.said(text, options);
  }
}

const NO_ITEMS = {
  tasks: [],
  settle: () => Promise.reject(new Error('Expected the task to have items, but it has none')),
};

/** Leaves out what is undefined. */
const given = <T extends object>(call: 'run.done' | 'run.completeStep', options: T): T => {
  const entries = Object.entries(verdicts.recordedBy(call, options));
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as T;
};

/**
 * The verdict of a stopped handler: it confirms a cancellation, returns the task at a shutdown, and reports nothing if
 * the lease was lost.
 */
export function stopped(reason: StopReason): Verdict {
  if (reason === 'cancel') return verdicts.confirmCancel();
  return reason === 'shutdown' ? verdicts.returnTask() : verdicts.alreadyTold();
}
