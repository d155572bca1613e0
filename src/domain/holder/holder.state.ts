import type { HeldTask } from './holder.events.js';

export interface NeverHeld {
  readonly status: 'free';
}
/** The consumer stays the holder until another one takes the queue, also while it has no task. */
export interface Held {
  readonly status: 'held';
  readonly epoch: number;
  readonly worker: string;
  readonly server: string;
  /** The task that was reset when the queue was taken over; it goes first. */
  readonly reset: string | null;
  /** The claims that were taken over and not heard of since. */
  readonly deposed: readonly HeldTask[];
}
export interface Disputed {
  readonly status: 'disputed';
  readonly epoch: number;
  readonly running: readonly HeldTask[];
  readonly deposed: readonly HeldTask[];
}

export type HolderState = NeverHeld | Held | Disputed;
