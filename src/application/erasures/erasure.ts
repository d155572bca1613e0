import type { Since } from '../../domain/kernel/since.js';
import { ERASURES_QUEUE } from '../../domain/kernel/erasures-queue.js';
import type { ServiceQueue } from '../queues/service-queues.js';

/** The tasks of this queue erase what other tasks were about. One goes on where it stopped, so a failed attempt is worth a retry. */
export const ERASURES: ServiceQueue = {
  name: ERASURES_QUEUE,
  description: 'Erasures of what tasks were about',
  policy: { onFailure: 'retry', maxLost: 100 },
};

/** Whose tasks: those with a label, those of a queue's key, one, or those of a queue that ended before a time and are not erased yet. */
export type ErasureSubject =
  | { readonly label: { readonly name: string; readonly value: string } }
  | { readonly key: { readonly queue: string; readonly key: string } }
  | { readonly task: string }
  | { readonly ended: { readonly queue: string; readonly before: Since } };

export interface ErasureChoice {
  /** What becomes of tasks that have not ended: they are aborted first, or refuse. */
  readonly abortOpen: boolean;
  /** It is a purge: what triggers made of events of its tasks stays, because it is in other queues. */
  readonly isPurge?: true;
}

/** The payload of such a task. It does not say whose tasks these are, because it is in the log. */
export interface Erasure extends ErasureChoice {
  readonly reason?: string;
  readonly by: string;
  readonly expected: number;
}

/** A hold that forbids an erasure. */
export interface LegalHold {
  readonly hold: string;
  readonly by: string;
  readonly reason: string | null;
}

/** How many tasks and batches an erasure concerns, how many of them have not ended or may block their key, and how many refused rows of the outbox. */
export interface ErasureOutlook {
  readonly tasks: number;
  readonly batches: number;
  readonly outbox: number;
  readonly open: number;
}

export const concernsNothing = ({ tasks, batches, outbox }: ErasureOutlook): boolean => tasks + batches + outbox === 0;

/** What became of an erasure. */
export interface ErasureResult {
  /** The tasks that this order erased. */
  readonly erased: number;
  /** The batches that it erased. */
  readonly batches: number;
  /** Tasks and batches that another one had erased before: their events name that one. */
  readonly alreadyErased: number;
  /** The halves that were erased, one for each event that had one. */
  readonly halves: number;
  /** The refused rows of the outbox that were deleted. */
  readonly outbox: number;
  /** How many tasks, batches and rows refused, by the code of the refusal. */
  readonly refused: Readonly<Record<string, number>>;
  /** The first ones that refused. */
  readonly examples: readonly { readonly task?: string; readonly batch?: string; readonly code: string }[];
}
