import type { ClaimedTask, LeaseRef, Settlement, SettleVerdict, TaskStatus } from '@waybill/contracts';
import type { Caller } from '../caller.js';
import { resultsTogether } from '../read-results.js';
import { WaybillError, WaybillUnavailable } from '../problems.js';
import type { HeldLease } from './heartbeat.js';
import type { WorkerEvents } from './worker-events.js';
import { Run, stopped, Stopped, type StopReason, type ReportOutcome } from './run.js';
import type { Task, TaskData } from './task.js';
import { NotServed } from './unserved.js';
import type { SettleItemBy } from './item.js';
import type { AttemptTelemetry } from '../telemetry.js';
import type { Slot } from './slots.js';
import type { Settlements } from './settlements.js';
import { LogLines, type LogOptions } from './log-lines.js';
import { ProgressBars, type Progress } from './progress-bars.js';
import type { ProgressReports } from './progress-reports.js';
import { memberOf } from './thrown.js';
import {
  alreadyTold,
  failureInsteadOf,
  failureOf,
  IllegalVerdict,
  returnedBy,
  sendable,
  Verdict,
  verdictOf,
} from './verdicts.js';

/** Runs one task of a queue. Its return value or error becomes the task's outcome; see `Run`. */
export interface Handler<Payload = unknown, Data = TaskData> {
  (task: Task<Payload, Data>, run: Run<Payload>): unknown;
  /** `cancel`: it is told to stop as soon as its worker stops, instead of getting time to finish. */
  readonly onStop?: 'cancel';
  /** The steps that it runs: its worker claims only tasks that are at one of them. All tasks if absent. */
  readonly steps?: readonly string[];
}

/** What all attempts of a worker share. */
export interface Office {
  readonly settlements: Settlements;
  readonly reports: ProgressReports;
  readonly events: WorkerEvents;
  readonly caller: Caller;
}

/** One claimed task, from the start of its handler until the service has answered the report of its outcome. */
export class Attempt implements HeldLease {
  readonly ref: LeaseRef;
  readonly leaseMs: number;
  readonly task: Task;
  readonly progress = new ProgressBars();
  readonly log = new LogLines();
  /** What was claimed for the task, if it is a job, and the tokens of those claims. */
  private readonly items: readonly Task[];
  private readonly tokens: ReadonlyMap<string, string>;
  private readonly telemetry: AttemptTelemetry;
  private readonly controller = new AbortController();
  private readonly windingDown = new AbortController();
  /** `ended`: the attempt is over according to the service, or its outcome cannot be known. */
  private phase: 'running' | 'settling' | 'ended' = 'running';
  private gaveBack = false;
  private handler: Handler | null = null;
  private failedTold = false;
  /** The errors of reports that the service may have accepted nevertheless. */
  private readonly unanswered = new Set<unknown>();
  /** The refusals of what the handler reported before its end. */
  private readonly refusals = new Map<unknown, SettleVerdict>();

  constructor(
    claimedTask: ClaimedTask,
    private readonly office: Office,
    private readonly slot: Slot | null = null,
  ) {
    const { items = [] } = claimedTask;
    this.task = withoutSecrets(claimedTask);
    this.items = items.map(withoutSecrets);
    this.tokens = new Map(items.map(({ taskId, token }) => [taskId, token]));
    this.ref = { taskId: claimedTask.taskId, token: claimedTask.token };
    this.leaseMs = claimedTask.leaseMs;
    this.telemetry = office.caller.config.telemetry.attempt(this.task);
  }

  /** Whether the attempt ended by returning the task. */
  get returned(): boolean {
    return this.gaveBack;
  }

  /** Aborts when the handler must stop. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Why the handler must stop; null while it may continue. */
  get stopReason(): Stopped | null {
    return (this.controller.signal.reason as Stopped | undefined) ?? null;
  }

  /**
   * Runs the handler and reports its outcome. Never rejects; resolves when the service has answered. `ended` is called as
   * soon as the handler has ended.
   */
  async work(handler: Handler, ended: () => void = () => undefined): Promise<void> {
    this.handler = handler;
    const { settlement } = await this.telemetry.process(() => this.outcome(handler));
    ended();
    if (this.phase === 'ended' || settlement === null) return;
    this.phase = 'settling';
    await this.telemetry.settle(settlement.type, () =>
      this.settle(settlement, (refusal) => this.failInstead(settlement, refusal)),
    );
    this.phase = 'ended';
  }

  /** Reports that no handler began the task. Never rejects. */
  async leave(): Promise<void> {
    if (this.phase === 'ended') return;
    this.phase = 'settling';
    const verdict = this.stoppedBy('cancel') ? stopped('cancel').settlement! : UNSTARTED;
    await this.settle(verdict, (error) => this.office.events.tell('refused', { task: this.task, error }));
    this.phase = 'ended';
  }

  cancelRequested(): void {
    this.stop('cancel');
  }

  /** The worker stops: the handler may finish, unless it wants to be told at once. */
  windDown(): void {
    this.windingDown.abort();
    if (this.handler?.onStop === 'cancel') this.shutDown();
  }

  /** The time to finish is over. */
  shutDown(): void {
    this.stop('shutdown');
  }

  /**
   * While the outcome is being reported, the lease may be lost because the report succeeded. The answer to the report
   * tells.
   */
  lost(): void {
    if (this.phase !== 'running') return;
    this.phase = 'ended';
    this.office.events.tell('lost', { task: this.task });
    this.stop('lease-lost');
  }

  private stoppedBy(reason: StopReason): boolean {
    const { signal } = this.controller;
    return signal.aborted && (signal.reason as Stopped).reason === reason;
  }

  private stop(reason: StopReason): void {
    if (!this.controller.signal.aborted) this.controller.abort(new Stopped(reason, this.task));
  }

  private async outcome(handler: Handler): Promise<Verdict> {
    const { signal } = this.controller;
    const context = {
      signal,
      windDown: this.windingDown.signal,
      tell: (verdict: SettleVerdict) => this.tell(verdict),
      progressed: (title: string, progress: Progress) => this.progressed(title, progress),
      said: (text: string, options?: LogOptions) => this.said(text, options),
      results: () => resultsTogether(this.office.caller, this.task.taskId),
      items: {
        tasks: this.items,
        settle: (...settled: Parameters<SettleItemBy>) => this.settleItem(...settled),
      },
    };
    try {
      const verdict = verdictOf(await returnedBy(handler(this.task, new Run(this.task, this.ref, context))));
      if (verdict.settlement === null && this.phase === 'running') throw unfinished(this.task);
      if (verdict instanceof NotServed) this.tellUnserved(verdict);
      return verdict;
    } catch (error) {
      if (signal.aborted && isAbort(error, signal)) return stopped((signal.reason as Stopped).reason);
      if (this.unanswered.has(error)) return this.leaveToLease(error);
      this.tellFailed(error);
      const refused = this.refusals.get(error);
      return refused ? new Verdict(failureInsteadOf(refused, error as Error)) : failureOf(error);
    }
  }

  /** Reports something before the handler ends. The report may itself end the attempt. */
  private async tell(said: SettleVerdict): Promise<ReportOutcome> {
    if (this.phase === 'ended') throw this.controller.signal.reason ?? over(this.task);
    const verdict = sendable(said, `Expected to report '${said.type}' of task '${this.task.taskId}'`);
    try {
      const { state, step, lastSuccessfulStep, waited } = await this.report(verdict);
      const waits = verdict.type === 'wait' && waited === undefined;
      if (state !== 'running' || waits) this.phase = 'ended';
      if (waits) this.stop('waiting');
      if (state === 'pending' && verdict.type === 'completeStep' && verdict.then === 'continue') this.stop('offered');
      if (waits || this.stoppedBy('offered')) throw this.controller.signal.reason;
      return { state, step, lastSuccessfulStep, waited };
    } catch (error) {
      if (error instanceof WaybillUnavailable) this.unanswered.add(error);
      else if (error instanceof WaybillError) this.refusals.set(error, verdict);
      if (!isLeaseLost(error)) throw error;
      this.lost();
      throw this.controller.signal.reason;
    }
  }

  /** Progress and lines come first, because the report may end the lease under which they are accepted. */
  private async report(verdict: SettleVerdict, slot: Slot | null = null): Promise<Settlement> {
    await this.office.reports.flush(this);
    const { traceparent } = this.telemetry;
    const item = { ...this.ref, verdict, ...(traceparent !== undefined && { traceparent }) };
    return this.office.settlements.settle(item, slot);
  }

  private progressed(title: string, progress: Progress): void {
    const bar = this.progress.set(title, progress);
    this.office.events.tell('progress', { task: this.task, bar });
    this.office.reports.add(this);
  }

  private said(text: string, options?: LogOptions): void {
    const at = new Date(this.office.caller.config.clock.now()).toISOString();
    const line = this.log.add(at, text, options);
    this.office.events.tell('log', { task: this.task, line });
    this.office.reports.add(this);
  }

  /** An item whose outcome cannot be recorded has failed, as a task would have. Otherwise it would run again. */
  private async settleItem(taskId: string, verdict: SettleVerdict, illegal?: Error): Promise<TaskStatus> {
    const [token, task] = [this.tokens.get(taskId)!, this.items.find((item) => item.taskId === taskId)!];
    if (illegal) this.office.events.tell('failed', { task, error: illegal });
    try {
      return (await this.office.settlements.settle({ taskId, token, verdict })).state;
    } catch (error) {
      if (!(error instanceof WaybillError) || isLeaseLost(error)) throw error;
      if (!illegal) this.office.events.tell('failed', { task, error });
      return (await this.office.settlements.settle({ taskId, token, verdict: failureInsteadOf(verdict, error) })).state;
    }
  }

  private async settle(verdict: SettleVerdict, refused: (refusal: Error) => void | Promise<void>): Promise<void> {
    try {
      await this.report(verdict, this.slot);
      this.gaveBack = verdict.type === 'return';
    } catch (error) {
      if (isLeaseLost(error)) return this.office.events.tell('lost', { task: this.task });
      // The service may have accepted the verdict, and another one could only contradict it.
      if (error instanceof WaybillUnavailable) return this.givenUp(error);
      await refused(error as Error);
    }
  }

  /** The failed report may have ended the task, so a failure could only contradict it. */
  private leaveToLease(error: unknown): Verdict {
    this.phase = 'ended';
    this.givenUp(error);
    return alreadyTold();
  }

  private givenUp(error: unknown): void {
    this.office.events.tell('unavailable', { doing: 'settle', task: this.task, error, retryInMs: null });
  }

  private tellUnserved({ reason, afterMs }: NotServed): void {
    this.office.events.tell('unserved', { task: this.task, reason, retryInMs: afterMs });
  }

  private tellFailed(error: unknown): void {
    this.failedTold = true;
    this.office.events.tell('failed', { task: this.task, error });
  }

  /**
   * If the service does not accept the verdict, fails the attempt, so that the task need not wait for its lease to
   * expire.
   */
  private failInstead(verdict: SettleVerdict, refusal: Error): Promise<void> {
    if (!this.failedTold) this.tellFailed(refusal);
    const refused = (error: Error): void => this.office.events.tell('refused', { task: this.task, error });
    return this.settle(failureInsteadOf(verdict, refusal), refused);
  }
}

/** The task keeps its place in line. */
const UNSTARTED: SettleVerdict = { type: 'return', unstarted: true };

const withoutSecrets = ({ token: _token, claimId: _claimId, items: _items, ...task }: ClaimedTask): Task => task;

const isLeaseLost = (error: unknown): boolean => error instanceof WaybillError && error.code === 'LEASE_LOST';

/** Compares the name, because `fetch` and others may throw an `Error` of another realm. */
const isAbort = (error: unknown, signal: AbortSignal): boolean =>
  error === signal.reason || memberOf(error, 'name') === 'AbortError';

const unfinished = (task: Task): IllegalVerdict =>
  new IllegalVerdict(
    `Expected the handler of task '${task.taskId}' to go on with the next step, but it ended: ` +
      "complete the remaining steps, or return run.completeStep(name, { then: 'offer' })",
  );

const over = (task: Task): Error => new Error(`Expected to report on task '${task.taskId}', but its attempt is over`);
