import type { LeaderTerm } from './leader-term.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Who gives a command, and for what. Stored in the envelope of every event that the command records. */
export interface CommandContext {
  readonly actor: string;
  /** The program or assistant that acts on the actor's behalf, as it says. */
  readonly agent?: string;
  /** The name of the request's API key; absent if the service requires none. */
  readonly principal?: string;
  /** Whether a trusted proxy, or the application around the API, has signed the actor in. Otherwise, the request says who it is. */
  readonly isSignedIn?: true;
  /** Whether the service itself gives the command. It alone may use reserved queues. */
  readonly isService?: true;
  readonly correlationId: string;
  readonly causationId?: string;
  readonly reason?: string;
  readonly tenant?: string;
  /** Where the caller's own trace stands: a W3C trace context. */
  readonly traceparent?: string;
  /**
   * From the caller's `Idempotency-Key`. The fingerprint tells a repeated request from another one under the same key.
   */
  readonly idempotencyKey?: { readonly key: string; readonly fingerprint: string };
  /** Set if a leader gives the command: it has no effect once another process leads. */
  readonly term?: LeaderTerm;
  /** Set if the command is part of a transaction, or previewed. */
  readonly unit?: UnitOfWork;
}

/** The answer to a command, about one stream. */
export interface Receipt {
  /** Task id or queue name. */
  readonly id: string;
  /** Decimal; a query with this `minPosition` sees the command's effect. */
  readonly position: string;
  readonly revision: number;
  /** False if the effect already held and nothing was recorded. */
  readonly recorded: boolean;
  /** True if this repeats the answer to an earlier request with the same `Idempotency-Key`. */
  readonly replayed: boolean;
}
