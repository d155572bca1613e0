export type { ErasureOutlook, ErasureResult, ErasureSubject, LegalHold } from './erasure.js';
import { OPERATIONS_QUEUE } from '../bulk-operations/bulk-operation.js';
import { DELIVERIES, MAILS } from '../queues/service-queues.js';
import type { ErasedKind } from '../../domain/erased-by.js';
import { Forgetting } from '../kernel/forgetting.port.js';
import type { ErasureOutlook, ErasureResult, ErasureSubject, LegalHold } from './erasure.js';

/** The queues whose tasks tell others what tasks were about. */
export const MESSAGE_QUEUES: readonly string[] = [DELIVERIES.name, MAILS.name];

/** The queue whose tasks are commands for many tasks. Their orders may name whom these are about. */
export const ORDERS_QUEUE = OPERATIONS_QUEUE;

/** Private halves, and what was made of them. */
export abstract class Erasures extends Forgetting {
  /** Whether somebody else must approve an order. */
  abstract readonly needApproval: boolean;

  /** The first legal hold, by name, that covers something of the subject; null if none does. A purge passes over what one covers. */
  abstract forbidden(subject: ErasureSubject): Promise<LegalHold | null>;

  /**
   * Why some of them cannot be erased, by a code: ERASURE_FORBIDDEN if a legal hold covers one whose erasure is not recorded yet,
   * STORED_WHOLE if an event was stored by a build that kept both halves in one, STREAM_UNREADABLE if this build cannot read an event.
   */
  abstract refusals(kind: ErasedKind, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;

  abstract outlook(subject: ErasureSubject): Promise<ErasureOutlook>;

  /**
   * Keeps what an order concerns: tasks, batches, the deliveries that came of them, what triggers made of events of the tasks (not of a purge, because other
   * queues keep theirs longer), operations whose orders name the subject, and refused rows of the outbox.
   */
  abstract keep(order: string, subject: ErasureSubject): Promise<void>;

  /**
   * Keeps the deliveries that came of the tasks of an order since and, with `triggered`, what triggers made of their events. Returns whether there are
   * more; null if nobody knows yet, because the lineage is behind the log.
   */
  abstract keepToldSince(order: string, kept: { readonly triggered: boolean }): Promise<boolean | null>;

  /** Deletes the refused rows of the outbox that an order concerns. A repetition deletes none. */
  abstract eraseOutbox(order: string): Promise<void>;

  /**
   * Deletes the hashes of requests about the tasks that an order has erased: whoever repeats one is refused with IDEMPOTENCY_KEY_REUSED.
   * A repetition deletes none.
   */
  abstract forgetRequests(order: string): Promise<void>;

  /** Replaces the samples of values that the database plans with, which may have what is erased by now. A repetition does it again. */
  abstract eraseSamples(): Promise<void>;

  /** The next ones after this one of which nothing has become yet, in the order of their ids. */
  abstract remaining(order: string, kind: ErasedKind, after: string | null, limit: number): Promise<readonly string[]>;

  /**
   * Erases the halves of what has an event that says so (`ERASED_BY`), and what rows have of them. All of it or nothing is committed, and a
   * repetition changes nothing. Throws if an event was stored by a build that kept both halves in one.
   */
  abstract erase(order: string, kind: ErasedKind, ids: readonly string[]): Promise<void>;

  /** Whether somebody other than who ordered it has released the order. */
  abstract isApproved(order: string): Promise<boolean>;

  /** Keeps that one refused. */
  abstract refuse(order: string, kind: ErasedKind, id: string, code: string): Promise<void>;

  abstract result(order: string): Promise<ErasureResult>;
}
