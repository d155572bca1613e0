import type { ErrorClass, ClaimedTask, Json, SettleVerdict, TaskStatus } from '@waybill/contracts';
import * as verdicts from './verdicts.js';
import { IllegalVerdict, type FailOptions, type Verdict } from './verdicts.js';

/** What a handler is given to do. The claim's secret is left out, so that a task can be logged. */
export type Task<Payload = Json> = Omit<ClaimedTask, 'token' | 'claimId' | 'payload'> & { readonly payload: Payload };

/** Why a handler is asked to stop. */
export type StopReason = 'cancel' | 'lease-lost' | 'shutdown';

/** The reason of an aborted `run.signal`: let it through, and the worker does what `reason` calls for. */
export class Stopped extends Error {
  override readonly name = 'AbortError';

  constructor(
    readonly reason: StopReason,
    task: Task,
  ) {
    super(`The handler of task '${task.taskId}' was asked to stop: ${reason}`);
  }
}

export interface StepOptions {
  /** `continue` (default): this claim goes on with the next step. `offer`: the task goes back, and any worker may take it. */
  readonly then?: 'continue' | 'offer';
  readonly result?: Json;
}

/** What a run needs from its attempt. */
export interface RunContext {
  readonly signal: AbortSignal;
  /** Tells the service, while the attempt goes on. Answers the task's state afterwards. */
  tell(verdict: SettleVerdict): Promise<TaskStatus>;
  progressed(value: unknown): void;
}

/** One attempt at a task, in its handler's hands: a way to end it, to report from it, and to hear when to stop. */
export class Run<Payload = Json> {
  readonly attempt: number;
  /** The step to run (the first of this claim, where the handler completes several); null for a task without steps. */
  readonly step: string | null;
  /** Grows with every claim of any task: hand it to whatever the handler writes to, and let that refuse a lower one. */
  readonly fencingToken: string;

  constructor(
    readonly task: Task<Payload>,
    grant: Pick<ClaimedTask, 'token'>,
    private readonly context: RunContext,
  ) {
    this.attempt = task.attempt;
    this.step = task.step;
    this.fencingToken = grant.token.split('.')[0]!;
  }

  /** Aborted when the handler should stop: see `stopReason`. Pass it on to whatever the handler waits for. */
  get signal(): AbortSignal {
    return this.context.signal;
  }

  /** null while nobody asked. */
  get stopReason(): StopReason | null {
    return this.signal.aborted ? (this.signal.reason as Stopped).reason : null;
  }

  succeed(result?: Json): Verdict {
    return verdicts.succeed(result);
  }

  /** Success, and there was nothing to do. */
  noChange(): Verdict {
    return verdicts.noChange();
  }

  fail(errorClass: ErrorClass, message: string, options?: FailOptions): Verdict {
    return verdicts.fail(errorClass, message, options);
  }

  /** A `transient` failure; where the policy retries those, it waits this long. */
  retryLater(afterMs: number, message?: string): Verdict {
    return verdicts.retryLater(afterMs, message);
  }

  /** The handler stopped because it was asked to. Throwing the signal's reason says the same. */
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
   * Records that a step is done. `await` it and go on, or `return` it to end the attempt with it: completing the last
   * step succeeds the task, and offering gives it back. What the handler returns after such an end is ignored.
   */
  async completeStep(name: string, { then = 'continue', result }: StepOptions = {}): Promise<Verdict> {
    await this.context.tell({ type: 'completeStep', step: name, then, ...(result !== undefined && { result }) });
    return verdicts.alreadyTold();
  }

  /** Records an error without ending the attempt, which may yet succeed. */
  async reportError(error: unknown): Promise<void> {
    await this.context.tell({ type: 'reportError', error: verdicts.reportOf(error) });
  }

  /** For listeners of the worker's `progress` in this process; the service is not told. */
  progress(value: unknown): void {
    this.context.progressed(value);
  }
}

/** What a stopped handler's end means: the cancel is confirmed, a shutdown gives the task back, a lost lease is over. */
export function stopped(reason: StopReason): Verdict {
  if (reason === 'cancel') return verdicts.confirmCancel();
  return reason === 'shutdown' ? verdicts.returnTask() : verdicts.alreadyTold();
}
