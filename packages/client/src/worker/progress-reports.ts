import type { Heartbeat as Beat } from '@waybill/contracts';
import type { Clock } from '../clock.js';
import { chunks } from '../submissions.js';
import type { HeldLease, Heartbeat } from './heartbeat.js';
import { ROUNDS } from './log-lines.js';
import type { WorkerEvents } from './worker-events.js';

/** How long changes are collected before they are sent. */
const COLLECT_MS = 1_000;

/** No outcome is reported before its task's progress and lines are answered, so an answer must not take long. */
const ANSWER_MS = 5_000;

/**
 * Sends the progress of tasks, and what their handlers say, with a heartbeat of their own, one at a time, so that no older report overtakes a newer
 * one. Lost leases and cancellations are learned from it as from any other heartbeat.
 */
export class ProgressReports {
  private readonly changed = new Set<HeldLease>();
  private sending: Promise<boolean> = Promise.resolve(true);
  private cancelTimer: (() => void) | null = null;

  constructor(
    private readonly heartbeat: Heartbeat,
    private readonly clock: Clock,
    private readonly events: WorkerEvents,
  ) {}

  add(lease: HeldLease): void {
    this.changed.add(lease);
    this.cancelTimer ??= this.clock.after(COLLECT_MS, () => void this.send());
  }

  /** Resolves once the service has answered the lease's latest progress and lines, or gave no answer. */
  async flush(lease: HeldLease): Promise<void> {
    if (!this.changed.has(lease) && lease.progress.all.length === 0) return;
    await this.sending;
    for (let round = 0; round < ROUNDS && this.changed.has(lease); round++) if (!(await this.send())) return;
  }

  end(): void {
    this.changed.clear();
    this.cancelTimer?.();
    this.cancelTimer = null;
  }

  /** Whether all of it was answered. */
  private send(): Promise<boolean> {
    this.sending = this.sending.then(() => this.sendChanged());
    return this.sending;
  }

  private async sendChanged(): Promise<boolean> {
    this.cancelTimer?.();
    this.cancelTimer = null;
    const leases = [...this.changed].filter((lease) => this.heartbeat.holds(lease));
    this.changed.clear();
    let answered = true;
    for (const chunk of chunks(leases.map(reportOf)))
      answered = (await this.sendOnce(leases.splice(0, chunk.length), chunk)) && answered;
    return answered;
  }

  /** What was not answered is sent again with what changes until then. */
  private async sendOnce(leases: readonly HeldLease[], items: readonly Beat[]): Promise<boolean> {
    try {
      await this.heartbeat.extend(leases, items, ANSWER_MS);
      leases.forEach(({ log }, at) => log.answered(items[at]!.log ?? []));
      for (const lease of leases) if (lease.log.hasUnsent) this.add(lease);
      return true;
    } catch (error) {
      this.events.tell('unavailable', { doing: 'extend', error, retryInMs: COLLECT_MS });
      for (const lease of leases) this.add(lease);
      return false;
    }
  }
}

function reportOf({ ref, progress: { all: progress }, log: { next: log } }: HeldLease): Beat {
  return { ...ref, ...(progress.length > 0 && { progress }), ...(log.length > 0 && { log }) };
}
