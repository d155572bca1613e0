import { ByteBudget } from '../../domain/kernel/byte-budget.js';
import { Mutex } from './mutex.js';

/** Bytes that were taken. */
export interface HeldBytes {
  /** Gives back what is more than `bytes`. */
  shrinkTo(bytes: number): void;
  giveBack(): void;
}

/** A byte budget. Whoever needs more bytes than are free waits, and is served in the order of arrival. */
export class ByteRoom {
  private readonly budget: ByteBudget;
  private readonly turn = new Mutex();
  private freed: () => void = () => undefined;

  constructor(most: number) {
    this.budget = new ByteBudget(most);
  }

  /** Null if not so many bytes are free. */
  tryTake(bytes: number): HeldBytes | null {
    return this.budget.take(bytes) ? this.held(bytes) : null;
  }

  /** Waits until so many bytes are free. Null if `signal` aborts before. */
  take(bytes: number, signal: AbortSignal): Promise<HeldBytes | null> {
    return this.turn.run(async () => {
      while (!signal.aborted) {
        const held = this.tryTake(bytes);
        if (held) return held;
        await this.change(signal);
      }
      return null;
    });
  }

  private async change(signal: AbortSignal): Promise<void> {
    let end: () => void = () => undefined;
    const changed = new Promise<void>((resolve) => (end = resolve));
    this.freed = end;
    signal.addEventListener('abort', end);
    await changed;
    signal.removeEventListener('abort', end);
  }

  private held(taken: number): HeldBytes {
    let bytes = taken;
    const shrinkTo = (left: number): void => {
      if (left >= bytes) return;
      this.budget.giveBack(bytes - left);
      bytes = left;
      this.freed();
    };
    return { shrinkTo, giveBack: () => shrinkTo(0) };
  }
}
