import type { UnitOfWork } from './unit-of-work.js';

/** Who gives a command and in which context; kept in the envelope of every event that follows. */
export interface CommandContext {
  readonly actor: string;
  /** Whose API key let the request in; absent where none is asked for, and everybody is the same. */
  readonly principal?: string;
  readonly correlationId: string;
  readonly causationId?: string;
  readonly reason?: string;
  readonly tenant?: string;
  /** From the caller's `Idempotency-Key`: the fingerprint tells a repeat from another request under the same key. */
  readonly idempotencyKey?: { readonly key: string; readonly fingerprint: string };
  /** The command is one of several that are recorded as one. */
  readonly unit?: UnitOfWork;
}

/** A command's answer about one stream. */
export interface Receipt {
  /** Task id or queue name. */
  readonly id: string;
  /** Decimal; a query with this `minPosition` sees the command's effect. */
  readonly position: string;
  readonly revision: number;
  /** False where the effect already held and nothing was recorded. */
  readonly recorded: boolean;
  /** True where an `Idempotency-Key` repeated an earlier answer. */
  readonly replayed: boolean;
}
