import type { ExtendResult, Heartbeat as Beat, LeaseCheck, LeaseRef } from '@waybill/contracts';
import type { Caller } from '../caller.js';
import { backoffMs } from '../retry.js';
import { chunks } from '../submissions.js';
import type { LogLines } from './log-lines.js';
import type { ProgressBars } from './progress-bars.js';
import type { WorkerEvents } from './worker-events.js';

/** A lease to keep alive. */
export interface HeldLease {
  readonly ref: LeaseRef;
  readonly leaseMs: number;
  readonly progress: ProgressBars;
  readonly log: LogLines;
  cancelRequested(): void;
  lost(): void;
}

/** Heartbeats per lease, so that two may fail before the lease is in danger. */
const BEATS = 3;

/**
 * How often the worker asks about leases that it need not extend yet, so that a cancellation does not wait for the next
 * heartbeat: 20 minutes with a lease of an hour.
 */
const CHECK_MS = 5_000;
const BACKOFF = { baseMs: CHECK_MS, capMs: 60_000 };

/**
 * Extends all held leases together, with one timer and one call per heartbeat. Only the service decides that a lease is
 * lost: while it is unreachable, the handlers continue. A blocked event loop delays heartbeats, so a lease must be
 * longer than any block.
 */
export class Heartbeat {
  private readonly held = new Set<HeldLease>();
  private timer: { readonly at: number; readonly cancel: () => void } | null = null;
  private cancelCheck: (() => void) | null = null;
  private beating = false;
  private failures = 0;
  private failedChecks = 0;

  constructor(
    private readonly caller: Caller,
    private readonly events: WorkerEvents,
  ) {}

  add(lease: HeldLease): void {
    this.held.add(lease);
    this.beatWithin(lease.leaseMs / BEATS);
    if (this.cancelCheck === null) this.checkWithin(CHECK_MS);
  }

  remove(lease: HeldLease): void {
    this.held.delete(lease);
    if (this.held.size === 0) this.end();
  }

  holds(lease: HeldLease): boolean {
    return this.held.has(lease);
  }

  end(): void {
    this.held.clear();
    this.timer?.cancel();
    this.timer = null;
    this.cancelCheck?.();
    this.cancelCheck = null;
  }

  /** Not while heartbeats come almost as often. */
  private checkWithin(ms: number): void {
    this.cancelCheck?.();
    this.cancelCheck = null;
    if (this.held.size === 0 || this.interval() <= 2 * CHECK_MS) return;
    this.cancelCheck = this.caller.config.clock.after(ms, () => void this.check());
  }

  private async check(): Promise<void> {
    const { clock } = this.caller.config;
    try {
      const leases = [...this.held];
      for (const items of chunks(leases.map(({ ref }) => ref)))
        await this.checkOnce(leases.splice(0, items.length), items);
      this.failedChecks = 0;
      this.checkWithin(CHECK_MS);
    } catch (error) {
      const retryInMs = CHECK_MS + backoffMs(BACKOFF, ++this.failedChecks, (error as Error).cause, clock);
      this.events.tell('unavailable', { doing: 'check', error, retryInMs });
      this.checkWithin(retryInMs);
    }
  }

  private async checkOnce(leases: readonly HeldLease[], items: readonly LeaseRef[]): Promise<void> {
    const options = { timeoutMs: CHECK_MS, retry: { attempts: 1 } };
    const { results } = await this.caller.call('checkLeases', { body: { items } }, options);
    results.forEach((result, index) => this.hear(leases[index]!, result));
  }

  /** Does nothing if an earlier heartbeat is already scheduled. */
  private beatWithin(ms: number): void {
    const { clock } = this.caller.config;
    const at = clock.now() + ms;
    if (this.beating || (this.timer !== null && this.timer.at <= at)) return;
    this.timer?.cancel();
    this.timer = { at, cancel: clock.after(ms, () => void this.beat()) };
  }

  private async beat(): Promise<void> {
    this.timer = null;
    this.beating = true;
    const delay = await this.extendAll(this.interval());
    this.beating = false;
    if (this.held.size > 0) this.beatWithin(Math.min(delay, this.interval()));
  }

  private interval(): number {
    return Math.min(...[...this.held].map(({ leaseMs }) => leaseMs)) / BEATS;
  }

  /** Returns the time until the next heartbeat, which is shorter after a failure. */
  private async extendAll(interval: number): Promise<number> {
    try {
      const leases = [...this.held];
      for (const refs of chunks(leases.map(({ ref }) => ref)))
        await this.extend(leases.splice(0, refs.length), refs, interval);
      this.failures = 0;
      return interval;
    } catch (error) {
      const { clock } = this.caller.config;
      const backoff = { baseMs: interval / 8, capMs: interval };
      const retryInMs = backoffMs(backoff, ++this.failures, error instanceof Error ? error.cause : null, clock);
      this.events.tell('unavailable', { doing: 'extend', error, retryInMs });
      return retryInMs;
    }
  }

  /** Extends leases with one call, and tells them what the service says. */
  async extend(leases: readonly HeldLease[], items: readonly Beat[], timeoutMs: number): Promise<void> {
    const options = { timeoutMs, retry: { attempts: 1 } };
    const { results } = await this.caller.call('extendLeases', { body: { items } }, options);
    results.forEach((result, index) => this.hear(leases[index]!, result));
  }

  private hear(lease: HeldLease, result: ExtendResult | LeaseCheck): void {
    if (!this.held.has(lease)) return;
    if (result.kind === 'lost') {
      this.remove(lease);
      lease.lost();
    } else if (result.cancelRequested) {
      lease.cancelRequested();
    }
  }
}
