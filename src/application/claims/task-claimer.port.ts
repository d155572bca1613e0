import type { CommandContext } from '../kernel/command-context.js';
import type { Json } from '../../domain/kernel/json.js';

export interface ClaimRequest {
  readonly queue: string;
  readonly worker: string;
  readonly server: string;
  /** Tasks at most. */
  readonly max: number;
  /** How long to wait for a first task, in milliseconds; 0 answers at once. */
  readonly waitMs: number;
  /** The lease's length; null leaves it to the queue's policy. */
  readonly leaseMs: number | null;
  /** UUID; the same claim repeated is answered with what it was granted. */
  readonly claimId: string;
  readonly signal: AbortSignal;
  readonly context: CommandContext;
}

/** A task given to a worker, with all it needs to work it. */
export interface ClaimedTask {
  readonly taskId: string;
  readonly queue: string;
  readonly kind: string;
  readonly key: string | null;
  readonly reference: string | null;
  readonly priority: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly description: string | null;
  readonly payload: Json;
  readonly attempt: number;
  /** `<fencing number>.<secret>`: a bearer secret, never logged. */
  readonly token: string;
  readonly claimId: string;
  readonly leaseMs: number;
  readonly deadline: string;
  readonly enqueuedAt: string;
  readonly step: string | null;
  readonly lastSuccessfulStep: string | null;
}

/** Why a queue that may have tasks gave none out, or fewer than it could. */
export type ClaimRefusal =
  /** Another consumer works on the serial queue. */
  | { readonly code: 'QUEUE_HELD'; readonly consumer: Holder }
  /** More than one task runs in a serial queue: somebody has to look. */
  | { readonly code: 'QUEUE_CONFLICTED'; readonly running: readonly Omit<Holder, 'until'>[] }
  /** The server runs as many of the queue's tasks as it may. */
  | { readonly code: 'SERVER_FULL'; readonly server: string; readonly running: number }
  /** As many of the queue's tasks run in the cluster as may. */
  | { readonly code: 'QUEUE_FULL'; readonly running: number };

/** Who works on a serial queue, on which task, and until when unless it is heard of. */
export interface Holder {
  readonly worker: string;
  readonly server: string;
  readonly taskId: string;
  readonly until: string;
}

export interface ClaimAnswer {
  readonly tasks: readonly ClaimedTask[];
  /** Of the newest of the tasks' claims; null where none were granted. */
  readonly position: string | null;
  readonly refusal: ClaimRefusal | null;
  /** The serial queue was taken over: end this overdue lease, and claim again. */
  readonly reset: { readonly taskId: string; readonly token: string } | null;
}

export const NOTHING_TO_CLAIM: ClaimAnswer = { tasks: [], position: null, refusal: null, reset: null };

/** Gives tasks to workers: the index proposes, the decider disposes. */
export abstract class TaskClaimer {
  /** The tasks now leased to the worker; none when none came in time, the queue gives nothing out, or the signal aborted. */
  abstract claim(request: ClaimRequest): Promise<ClaimAnswer>;
}
