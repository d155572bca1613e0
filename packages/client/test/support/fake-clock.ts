import type { Clock } from '../../src/clock.js';

interface Timer {
  readonly ms: number;
  readonly action: () => void;
}

/** A clock whose time passes when the test says so. */
export class FakeClock implements Clock {
  /** Every requested delay, in order. */
  readonly delays: number[] = [];
  /** The value of every random number. */
  fraction = 0.5;
  private time = 0;
  private readonly timers = new Set<Timer>();
  private readonly waiters: { readonly fits: (timer: Timer) => boolean; resolve(timer: Timer): void }[] = [];

  /** `instant`: every delay ends at once, and only `now` shows it. */
  constructor(private readonly mode: 'manual' | 'instant' = 'manual') {}

  now(): number {
    return this.time;
  }

  random(): number {
    return this.fraction;
  }

  /** Lets time pass, like a slow answer. */
  pass(ms: number): void {
    this.time += ms;
  }

  after(ms: number, action: () => void): () => void {
    const timer = { ms, action };
    this.delays.push(ms);
    this.timers.add(timer);
    for (const waiter of this.waiters.splice(0)) {
      if (waiter.fits(timer)) waiter.resolve(timer);
      else this.waiters.push(waiter);
    }
    if (this.mode === 'instant') setImmediate(() => this.run(timer));
    return () => this.timers.delete(timer);
  }

  /** Ends a pending delay of this length, as soon as there is one. */
  async fire(ms: number): Promise<void> {
    const fits = (timer: Timer): boolean => timer.ms === ms;
    const pending = [...this.timers].find(fits);
    this.run(pending ?? (await new Promise<Timer>((resolve) => this.waiters.push({ fits, resolve }))));
  }

  /** Runs `action` in the turn after the next delay was requested. */
  onNextTimer(action: () => void): void {
    this.waiters.push({ fits: () => true, resolve: () => setImmediate(action) });
  }

  /** The lengths of the pending delays. */
  get pending(): number[] {
    return [...this.timers].map(({ ms }) => ms);
  }

  private run(timer: Timer): void {
    if (!this.timers.delete(timer)) return;
    this.time += timer.ms;
    timer.action();
  }
}
