import type { HeldTask } from './consumer.events.js';

export interface NeverHeld {
  readonly status: 'free';
}
/** The consumer stays the holder until another one takes the queue, also while it has no task. */
export interface Held {
  readonly status: 'held';
  readonly epoch: number;
  readonly worker: string;
  readonly server: string;
  /** The claim that was reset when the queue was taken over; its task goes first, until it is claimed anew. */
  readonly reset: HeldTask | null;
  /** The claims that were taken over and not heard of since. */
  readonly fencedClaims: readonly HeldTask[];
}
export interface Conflicted {
  readonly status: 'conflicted';
  readonly epoch: number;
  readonly running: readonly HeldTask[];
  readonly fencedClaims: readonly HeldTask[];
}

export type ConsumerState = NeverHeld | Held | Conflicted;
