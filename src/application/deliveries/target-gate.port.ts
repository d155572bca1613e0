/** After so many failures in a row, a target is tried seldom. */
export const TARGET_FAILS_AFTER = 3;

/**
 * The places of hosts that have not taken a delivery yet, of all together, and of hosts whose last delivery failed. Both
 * together are fewer than the slots of a steward, so hosts that answer always have some.
 */
export const NEW_HOSTS_AT_ONCE = 32;
export const FAILED_HOSTS_AT_ONCE = 16;

/** A delivery that wants to go to its target. */
export interface Entry {
  readonly target: string;
  /** The id of its task. */
  readonly delivery: string;
  /** The most that may be under way to the target at once, from all processes. */
  readonly most: number;
  /**
   * Whether the target is a host of a webhook, of which callers may name any number. All hosts that have not answered yet share
   * some places, and each gets one of them at most.
   */
  readonly isHost: boolean;
  /** How long it takes at most. If its process dies, its place is free afterwards. */
  readonly ms: number;
}

export type Admission =
  | { readonly kind: 'open' }
  /** As many as may are under way. It may ask again after this time. */
  | { readonly kind: 'busy'; readonly waitMs: number }
  /** The target has failed so often in a row that only one delivery tries it now and then. */
  | { readonly kind: 'failing'; readonly failures: number; readonly error: string; readonly until: string };

/** What the target made of a delivery. `neither`: that is not known, or is not its fault. */
export type Outcome =
  | { readonly kind: 'done' | 'neither'; readonly ranMs: number }
  | { readonly kind: 'failed'; readonly error: string; readonly ranMs: number };

/**
 * Keeps the targets of deliveries apart, so that one that hangs or fails stops no other. Rows beside the log, like gauges: they say
 * how the target is now, and without them everything is tried again.
 */
export abstract class TargetGate {
  abstract enter(entry: Entry): Promise<Admission>;

  /** To be called once after each entry that was open. */
  abstract leave(entry: Entry, outcome: Outcome): Promise<void>;
}
