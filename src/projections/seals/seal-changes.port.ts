/** Tells those who wait for a seal that there may be one, or a reason why there is none. It may miss a change. */
export abstract class SealChanges {
  /** Of the changes so far. One seen before a look makes sure that no change during the look is missed. */
  abstract readonly count: number;

  /** Resolves once there was a change after `count`, when `signal` aborts, or after `timeoutMs`. */
  abstract past(count: number, signal: AbortSignal, timeoutMs: number): Promise<void>;
}
