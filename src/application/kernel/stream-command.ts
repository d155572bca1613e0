import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { AppendConditions, Refusal } from './event-store.port.js';
import type { UnreadableStream } from './unreadable-stream.js';

/** One command on one stream. `command` and `conditions` may be functions of the loaded state, its revision and the position of its last event. */
export interface StreamCommand<S, C> {
  readonly stream: string;
  readonly command: C | ((state: S, revision: number, position: bigint) => C | Promise<C>);
  readonly conditions?: AppendConditions | ((state: S) => AppendConditions);
  /**
   * `new`: the stream should not exist, so nothing is read. `cached`: a cached state, without the payload, is enough.
   * `whole`: the state with everything that was recorded. Both may be stale: the append then conflicts, and a refusal is
   * decided again on a fresh read.
   */
  readonly load: 'new' | 'cached' | 'whole';
  /** The stream as the caller has just folded it. It is read only if that turns out to be out of date, or the command is refused. */
  readonly loaded?: Loaded<S>;
  readonly policyVersion?: number;
  /** By which the command is decided, for what recording it depends on. Absent: none. */
  readonly policy?: QueuePolicy;
  /** The event that led to the command, if it is not that of the whole request. */
  readonly causationId?: string;
  /** Where the trace stands within which the command is given, if it is not that of the whole request. */
  readonly traceparent?: string;
  /** The secret half of the token, if the command claims the task. */
  readonly leaseSecret?: string;
  /** The holder of the API key, if the tasks that run for it are limited. */
  readonly leaseHolder?: string;
  /**
   * Called when a condition refused the append. Returns what to decide instead, or null to pass the refusal on to the
   * caller. Called again and again for some seconds at most.
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
  | {
      readonly kind: 'rejected';
      readonly rejection: R;
      readonly state: S;
      readonly position: bigint;
      readonly revision: number;
    }
  | ({ readonly kind: 'refused' } & Refusal)
  /** The stream changed before each append, for some seconds. Nothing was recorded; the caller should try again later. */
  | { readonly kind: 'contended' }
  /** This program cannot read the stream, or the stream's row in the index is wrong. Nothing was recorded. */
  | { readonly kind: 'unreadable'; readonly error: UnreadableStream }
  /** The rules broke on the command, which is a bug or follows from a damaged history. Nothing was recorded. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** The contended outcome of a single command, as an error. */
export class StreamContentionError extends Error {
  override readonly name = 'StreamContentionError';
  constructor(readonly stream: string) {
    super(`Expected to append to '${stream}', but others were faster each time`);
  }
}

/**
 * A folded state with its stream's revision and position. `fresh` states were read for this decision, so a refusal
 * based on one is final.
 */
export interface Loaded<S> {
  readonly state: S;
  readonly revision: number;
  readonly position: bigint;
  readonly fresh: boolean;
}
