import type { Clock } from '../clock.js';
import type { Attempt } from './attempt.js';
import type { Slot, Slots } from './slots.js';
import type { Starts } from './starts.js';
import type { WorkerEvents } from './worker-events.js';

/** How often the service hears of the worker while it has stuck handlers. It takes a silent worker for gone after a minute. */
const HERE_MS = 20_000;

export interface StuckPlan {
  readonly slots: Slots;
  readonly starts: Starts;
  readonly clock: Clock;
  readonly events: WorkerEvents;
  /** How long a handler may go on after it was told to stop. */
  readonly afterMs: number;
  /** Tells the service how many handlers of a queue are stuck. */
  readonly tell: (queue: string, stuck: number) => Promise<void>;
}

/**
 * Handlers that go on although they must stop: their tasks are lost or cancelled. After a while their slots are free
 * again, so that other tasks do not wait for them for ever. At most as many as there are slots, because what they hold
 * besides (memory, connections) is not freed.
 */
export class StuckHandlers {
  private freed = 0;
  /** The handlers that were told to stop, and whether they are stuck. */
  private readonly told = new Map<Attempt, boolean>();
  /** The queues that the service believes to have stuck handlers. */
  private known: readonly string[] = [];
  private timer: { readonly at: number; readonly cancel: () => void } | null = null;

  constructor(private readonly plan: StuckPlan) {}

  /** Call the result when the handler has ended. It frees the slot, unless that is free already. */
  watch(attempt: Attempt, slot: Slot): () => void {
    const { clock, afterMs, slots } = this.plan;
    let isFree = false;
    let cancelTimer = (): void => undefined;
    const told = (): void => {
      if (attempt.stopReason!.reason === 'shutdown') return;
      this.told.set(attempt, false);
      this.tellWithin(HERE_MS / 4);
      cancelTimer = clock.after(afterMs, () => (isFree = this.isStuck(attempt, slot)));
    };
    attempt.signal.addEventListener('abort', told, { once: true });
    return () => {
      attempt.signal.removeEventListener('abort', told);
      cancelTimer();
      this.forget(attempt);
      if (isFree) this.freed -= 1;
      else slots.release(1, slot);
    };
  }

  /** The worker stops, and tells nothing more. */
  end(): void {
    this.told.clear();
    this.timer?.cancel();
    this.timer = null;
  }

  /** Returns whether the slot is free now. */
  private isStuck(attempt: Attempt, slot: Slot): boolean {
    const { slots, starts, events } = this.plan;
    const slotFreed = this.freed < slots.size;
    this.told.set(attempt, true);
    this.tellWithin(0);
    events.tell('stuck', { task: attempt.task, reason: attempt.stopReason!.reason, slotFreed });
    if (!slotFreed) return false;
    this.freed += 1;
    // A claim gets it now, and not with the report.
    slot.lent = true;
    slots.releaseToOthers(slot.user);
    starts.leave(slot);
    return true;
  }

  private forget(attempt: Attempt): void {
    if (this.told.get(attempt)) this.tellWithin(0);
    this.told.delete(attempt);
    if (this.told.size === 0 && this.known.length === 0) this.end();
  }

  private tellWithin(ms: number): void {
    const { clock } = this.plan;
    const at = clock.now() + ms;
    if (this.timer !== null && this.timer.at <= at) return;
    this.timer?.cancel();
    this.timer = { at, cancel: clock.after(ms, () => void this.tellAll()) };
  }

  /** Also queues whose worker only waits for a handler to stop: without a free slot, it would seem to be gone. */
  private async tellAll(): Promise<void> {
    this.timer = null;
    const stuck = [...this.told].flatMap(([{ task }, isStuck]) => (isStuck ? [task.queue] : []));
    const queues = new Set([...this.known, ...[...this.told.keys()].map(({ task }) => task.queue)]);
    this.known = stuck;
    if (this.told.size > 0) this.tellWithin(HERE_MS);
    await Promise.all([...queues].map((queue) => this.plan.tell(queue, stuck.filter((one) => one === queue).length)));
  }
}
