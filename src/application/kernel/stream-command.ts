import type { AppendConditions, Refusal } from './event-store.port.js';

/** How often a command is decided on a stream that changes meanwhile. */
export const ATTEMPTS = 3;

/** One command on one stream. `command` and `conditions` may be functions of the loaded state, where they depend on it. */
export interface StreamCommand<S, C> {
  readonly stream: string;
  readonly command: C | ((state: S) => C | Promise<C>);
  readonly conditions?: AppendConditions | ((state: S) => AppendConditions);
  /**
   * `new`: the stream is expected not to exist; nothing is read. `cached`: a state folded earlier will do (it has no payload).
   * `fresh`: read the stream.
   */
  readonly load: 'new' | 'cached' | 'fresh';
  readonly policyVersion?: number;
  /**
   * Asked when the append was refused by a constraint: what to decide instead, or null to hand the refusal to the caller.
   * Called at most `ATTEMPTS` times.
   */
  readonly onRefused?: (
    refusal: Refusal,
  ) => Promise<Partial<Pick<StreamCommand<S, C>, 'command' | 'conditions' | 'policyVersion'>> | null>;
}

export type Outcome<S, E, R> =
  | {
      readonly kind: 'accepted';
      readonly events: readonly E[];
      readonly state: S;
      readonly position: bigint;
      readonly revision: number;
      readonly recordedAt: string;
    }
  /** `position` is that of the stream's newest event. */
  | { readonly kind: 'alreadyDone'; readonly state: S; readonly position: bigint; readonly revision: number }
  | { readonly kind: 'rejected'; readonly rejection: R; readonly state: S }
  | ({ readonly kind: 'refused' } & Refusal)
  /** The stream changed `ATTEMPTS` times in a row meanwhile. Nothing was recorded; the caller should try again later. */
  | { readonly kind: 'contended' };

/** A contended outcome of a command that stands alone. */
export class StreamContentionError extends Error {
  override readonly name = 'StreamContentionError';
  constructor(readonly stream: string) {
    super(`Expected to append to '${stream}', but it changed ${ATTEMPTS} times in a row`);
  }
}

/** A folded state and where its stream stood. `fresh` states were read for this decision, so that a refusal can be believed. */
export interface Loaded<S> {
  readonly state: S;
  readonly revision: number;
  readonly position: bigint;
  readonly fresh: boolean;
}
