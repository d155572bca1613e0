import type { Json } from '@waybill/contracts';
import type { LogOptions } from '../worker/log-lines.js';
import type { Progress } from '../worker/progress-bars.js';
import type { Run } from '../worker/run.js';
import type { Duration, WaitOptions } from '../worker/waits.js';

/** One run of a task function: when it must stop, and how far it is. */
export class RunState {
  /** By this process's clock. */
  readonly startedAt = new Date();
  private endedAt: Date | null = null;

  constructor(private readonly run: Run<any>) {}

  /** Null while the function runs. */
  get stoppedAt(): Date | null {
    return this.endedAt;
  }

  /** From 1. */
  get attempt(): number {
    return this.run.attempt;
  }

  /** Grows with every claim of any task. Pass it to whatever the function writes to, and let that refuse lower ones. */
  get fencingToken(): string {
    return this.run.fencingToken;
  }

  /** Aborts when the function must stop. Pass it on to whatever the function waits for. */
  get signal(): AbortSignal {
    return this.run.signal;
  }

  /** Whether somebody cancelled the task, or the process stops. The task then ends cancelled, whatever the function does. */
  get cancelled(): boolean {
    return this.run.stopReason !== null && this.run.stopReason !== 'waiting';
  }

  /**
   * The data of the signal, once somebody has given it. Until then the task waits without a worker: an error is thrown, which the function must let
   * through. Afterwards a worker runs the function anew from its beginning, and each wait that has ended returns at once what it
   * returned before. A direct call rejects with that error when the task begins to wait. See `Run.waitFor`.
   */
  waitFor<Data = Json>(signal: string, options: WaitOptions & { readonly onTimeout: 'continue' }): Promise<Data | null>;
  waitFor<Data = Json>(signal: string, options: WaitOptions): Promise<Data>;
  waitFor(signal: string, options: WaitOptions): Promise<Json> {
    return this.run.waitFor(signal, options);
  }

  /** Waits as `waitFor` does, for a time alone: `await run.sleep('1h')`. */
  sleep(duration: Duration): Promise<void> {
    return this.run.sleep(duration);
  }

  /** Throws if the run is cancelled. Call it where the function can stop. */
  check(): void {
    this.signal.throwIfAborted();
  }

  /** Shows how far the work is, as the bar of this title: `run.progress('files', { end: 120, position: 7 })`. */
  progress(title: string, progress: Progress): void {
    this.run.progress(title, progress);
  }

  /** Adds a line to the log of the task: `run.log('charged', { fields: { order: 7 } })`. */
  log(text: string, options?: LogOptions): void {
    this.run.log(text, options);
  }

  /** Called by the client when the function has ended. */
  stopped(): void {
    this.endedAt ??= new Date();
  }
}
