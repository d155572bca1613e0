import { chunks } from '../submissions.js';
import type { Clock } from '../clock.js';
import type { HeldLease, Heartbeat } from './heartbeat.js';
import type { WorkerEvents } from './worker-events.js';

/** How long changes are collected before they are sent. */
const COLLECT_MS = 1_000;

/** No outcome is reported before its task's progress is answered, so an answer must not take long. */
const ANSWER_MS = 5_000;

/**
 * Sends the progress of tasks with a heartbeat of their own, one at a time, so that no older report overtakes a newer
 * one. Lost leases and cancellations are learned from it as from any other heartbeat.
 */
export class ProgressReports {
  private readonly changed = new Set<HeldLease>();
  private sending: Promise<void> = Promise.resolve();
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

  /** Resolves once the service has answered the lease's latest progress, or gave no answer. */
  async flush(lease: HeldLease): Promise<void> {
    if (lease.progress.all.length === 0) return;
    await this.sending;
    if (this.changed.has(lease)) await this.send();
  }

  end(): void {
    this.changed.clear();
    this.cancelTimer?.();
    this.cancelTimer = null;
  }

  private send(): Promise<void> {
    this.sending = this.sending.then(() => this.sendChanged());
    return this.sending;
  }

  private async sendChanged(): Promise<void> {
    this.cancelTimer?.();
    this.cancelTimer = null;
    const leases = [...this.changed].filter((lease) => this.heartbeat.holds(lease));
    this.changed.clear();
    const items = leases.map(({ ref, progress }) => ({ ...ref, progress: progress.all }));
    for (const chunk of chunks(items)) await this.sendOnce(leases.splice(0, chunk.length), chunk);
  }

  /** Progress that was not answered is sent again with what changes until then. */
  private async sendOnce(leases: readonly HeldLease[], items: Parameters<Heartbeat['extend']>[1]): Promise<void> {
    try {
      await this.heartbeat.extend(leases, items, ANSWER_MS);
    } catch (error) {
      this.events.tell('unavailable', { doing: 'extend', error, retryInMs: COLLECT_MS });
      for (const lease of leases) this.add(lease);
    }
  }
}
