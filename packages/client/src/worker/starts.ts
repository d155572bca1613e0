import type { Clock } from '../clock.js';
import type { Slot } from './slots.js';

/** How long a claimed task may wait for a handler to end, so that others can have it if the handlers turn out to be slow. */
const PATIENCE_MS = 1_000;
/** The most tasks that are claimed ahead for each slot. */
const MOST_AHEAD = 20;
/** Of fewer handlers, the mean says too little. */
const ENOUGH = 100;
/** The weight of a new duration in the mean. */
const SHARE = 1 / 16;

interface Waiter {
  readonly slot: Slot;
  readonly since: number;
  readonly start: (starts: boolean) => void;
}

export interface StartsPlan {
  /** How many handlers run at once. */
  readonly size: number;
  /** The time for whose handlers it claims ahead. */
  readonly aheadMs: number;
  readonly clock: Clock;
}

/**
 * Lets as many handlers run as there are slots. The tasks that were claimed ahead wait, first come, first served, and not
 * for long.
 */
export class Starts {
  private running = 0;
  private line: Waiter[] = [];
  private cancelTimer: (() => void) | null = null;
  /** How long handlers take, and of how many that is known. */
  private meanMs = 0;
  private seen = 0;

  constructor(private readonly plan: StartsPlan) {}

  /** How many tasks handlers begin within `aheadMs`. */
  readonly ahead = (): number => {
    const { size, aheadMs } = this.plan;
    return aheadMs === 0 || this.seen < ENOUGH ? 0 : Math.floor(size * Math.min(MOST_AHEAD, aheadMs / this.meanMs));
  };

  /** Whether the handler begins; false if it waited too long, or the worker stops. */
  enter(slot: Slot): boolean | Promise<boolean> {
    if (this.running < this.plan.size) return this.begin(slot);
    return new Promise((start) => {
      this.line.push({ slot, since: this.plan.clock.now(), start });
      this.cancelTimer ??= this.plan.clock.after(PATIENCE_MS, () => this.giveUp());
    });
  }

  /** The handler has ended, after so many milliseconds. */
  ended(slot: Slot, tookMs: number): void {
    this.meanMs += (tookMs - this.meanMs) * (this.seen === 0 ? 1 : SHARE);
    this.seen += 1;
    this.leave(slot);
  }

  /** Another handler may begin, if this one counted. */
  leave(slot: Slot): void {
    if (!slot.running) return;
    slot.running = false;
    this.running -= 1;
    const next = this.line.shift();
    if (next) next.start(this.begin(next.slot));
    if (this.line.length === 0) this.stopTimer();
  }

  /** No task that waits begins any more. */
  end(): void {
    this.stopTimer();
    for (const { start } of this.line.splice(0)) start(false);
  }

  private begin(slot: Slot): true {
    this.running += 1;
    return (slot.running = true);
  }

  private giveUp(): void {
    const { clock } = this.plan;
    const late = this.line.filter(({ since }) => since + PATIENCE_MS <= clock.now());
    this.line = this.line.slice(late.length);
    // The running handlers take longer than earlier ones. With the old estimate, the worker would claim as many tasks again.
    if (late.length > 0) this.seen = 0;
    for (const { start } of late) start(false);
    this.cancelTimer =
      this.line.length === 0 ? null : clock.after(this.line[0]!.since + PATIENCE_MS - clock.now(), () => this.giveUp());
  }

  private stopTimer(): void {
    this.cancelTimer?.();
    this.cancelTimer = null;
  }
}
