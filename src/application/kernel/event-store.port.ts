import type { DomainEvent } from '../../domain/kernel/decider.js';
import type { IsoTime, Json } from '../../domain/kernel/json.js';

/**
 * Where events live. One port, several adapters, one contract suite.
 *
 * Promises that every adapter keeps:
 * - An answer is given after the commit. A stored event is never changed, reordered or lost.
 * - Each item of an `append` succeeds or fails whole, and by itself: a neighbour's conflict does not touch it.
 *   With `atomic` all items do as one, and each meets what those before it did; an item may go on in the stream of an earlier one.
 * - Positions grow with commit order, so that one number is a checkpoint. They need not be dense.
 * - Appending the same events (same ids) again answers `duplicate` and stores nothing.
 */
export abstract class EventStore {
  /** Stores each item that its expected revision and its conditions allow; one result per item, in order. */
  abstract append(items: readonly AppendItem[], options?: AppendOptions): Promise<readonly AppendResult[]>;

  /** The streams' events in revision order, in the order of the names; an unknown stream is an empty list. */
  abstract readStreams(streams: readonly string[]): Promise<readonly (readonly RecordedEvent[])[]>;

  /** Up to `limit` events after position `after`, in commit order. */
  abstract readAll(after: bigint, limit: number, filter?: EventFilter): Promise<readonly RecordedEvent[]>;

  /** The position of the newest event; 0n when there is none. */
  abstract head(): Promise<bigint>;

  /** Whether what comes after the position can be read: a store may know no position but those that it gave out. */
  abstract canReadAfter(position: bigint): Promise<boolean>;

  /** The number of events after one position, up to another; null if the store's positions do not count events. */
  abstract countBetween(after: bigint, upTo: bigint): number | null;

  /**
   * After this position comes the first event that was recorded at `time` or later; the head where there is none. Read from the
   * log's order and times, not by reading all of it. Events that follow may have been recorded a moment earlier.
   */
  abstract positionBefore(time: IsoTime): Promise<bigint>;

  /**
   * Every event after `after`, in commit order, then new ones as they are committed, until `signal` aborts.
   * An empty array is a sign of life: the subscription is caught up and nothing came for a while.
   */
  abstract subscribe(after: bigint, options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]>;
}

/** The revision of a stream without events. The first event has revision 0. */
export const NO_STREAM = -1;

export interface AppendItem {
  /** `<category>-<id>`. */
  readonly stream: string;
  /** The revision of the stream's last event, or `NO_STREAM`. */
  readonly expected: number;
  /** None, in an atomic append: the item only demands that the stream still stands at its revision. */
  readonly events: readonly EventToAppend[];
  readonly conditions?: AppendConditions;
  /** With a `TaskClaimed`: the secret half of the claim's token. Kept with the lease, never part of an event. */
  readonly leaseSecret?: string;
}

/** At which revision each stream of an atomic append stands before it: its first item's. */
export function streamBases(items: readonly Pick<AppendItem, 'stream' | 'expected'>[]): ReadonlyMap<string, number> {
  const bases = new Map<string, number>();
  for (const { stream, expected } of items) if (!bases.has(stream)) bases.set(stream, expected);
  return bases;
}

export interface EventToAppend {
  /** UUID, unique for ever: how a repeated append is recognised. */
  readonly id: string;
  readonly event: DomainEvent;
  readonly envelope: Envelope;
}

/** Who did it, why, and in which context; kept with every event from the first one on. */
export interface Envelope {
  readonly actor: string;
  readonly correlationId: string;
  readonly reason?: string;
  readonly causationId?: string;
  readonly tenant?: string;
  /** The version of the queue's policy that decided. */
  readonly policyVersion?: number;
}

/**
 * What must hold at the moment of the commit, beside the expected revision. The key's one waiting place and unique references
 * need no guard: they follow from the events and from the queue's policy.
 */
export interface AppendConditions {
  /** The queue's own stream stands at this revision: its policy, state and intake are those that decided. */
  readonly queue?: { readonly name: string; readonly revision: number };
  /** The claim still stands; `expired` in addition demands that its deadline has passed. */
  readonly lease?:
    { readonly token: string; readonly secret: string } | { readonly token: string; readonly expired: true };
  /** The streams of these queues, which the decision looked at too, stand at these revisions. */
  readonly queueRevisions?: readonly { readonly name: string; readonly revision: number }[];
  /** No task of this queue is open. */
  readonly queueEmpty?: string;
  /** No queue's policy names this one among those it waits for. */
  readonly notAwaited?: string;
  /** Taken by the first append that carries it. */
  readonly idempotencyKey?: IdempotencyKey;
}

/** One request's key. A request of several items takes it once for each; no other request may take it for any. */
export interface IdempotencyKey {
  readonly key: string;
  /** The item's number; 0 where the request is about one thing. */
  readonly item: number;
  /** Tells a repeat of the request from another one. */
  readonly fingerprint: string;
  /** Remembered with the key: how the first request was answered. */
  readonly answer: Json;
}

export type AppendResult =
  | { readonly kind: 'appended'; readonly position: bigint; readonly revision: number; readonly recordedAt: string }
  | { readonly kind: 'conflict'; readonly actual: number }
  | ({ readonly kind: 'refused' } & Refusal)
  | { readonly kind: 'duplicate'; readonly position: bigint; readonly revision: number };

/** Why an append was refused though its stream stood as expected: the condition or the rule that does not hold. */
export type Refusal =
  /** The queue, or another one that was looked at, moved on. */
  | { readonly constraint: 'queue-changed' }
  | { readonly constraint: 'queue-not-empty' }
  /** `queue` waits for the one that was to go. */
  | { readonly constraint: 'queue-awaited'; readonly queue: string }
  /** Another task has the key's waiting place, or the reference. */
  | { readonly constraint: 'key-waiting' | 'reference'; readonly taskId: string }
  /** The claim is over, or (for an expiry) was extended. */
  | { readonly constraint: 'lease' }
  /** The claim id was given tasks before. */
  | { readonly constraint: 'claim-repeated' }
  /** The key stands for an answer that was given before, perhaps to another request. */
  | { readonly constraint: 'idempotency-key'; readonly recorded: RecordedAnswer }
  /** The append has more bytes than this store takes as one. */
  | ({ readonly constraint: 'too-large' } & TooLarge);

export interface TooLarge {
  readonly bytes: number;
  readonly limit: number;
}

/** How the first request under an idempotency key was answered. */
export interface RecordedAnswer extends Pick<IdempotencyKey, 'fingerprint' | 'answer'> {
  /** The stream that the answer is about, and where it stood. */
  readonly stream: string;
  readonly revision: number;
  /** Decimal. */
  readonly position: string;
}

export interface AppendOptions {
  /** All items or none: if one is not stored, none is, and the others answer `conflict` with their actual revision. */
  readonly atomic?: boolean;
}

export interface RecordedEvent<E extends DomainEvent = DomainEvent> {
  readonly position: bigint;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly recordedAt: string;
  readonly event: E;
  readonly envelope: Envelope;
  /** Whether the same append also stored the stream's next event. Only set by a store whose index follows the log. */
  readonly more?: true;
  /** Likewise: the atomic append of several streams that this was part of. */
  readonly transaction?: TransactionPart;
}

export interface TransactionPart {
  readonly id: string;
  /** Of the append, from 0. */
  readonly item: number;
}

export interface EventFilter {
  /** Of this stream alone. */
  readonly stream?: string;
  readonly categories?: readonly string[];
  readonly types?: readonly string[];
  /** Only events that name this queue: its tasks' and its own. */
  readonly queue?: string;
  /** Only what this one did. */
  readonly actor?: string;
}

export interface SubscribeOptions {
  readonly signal: AbortSignal;
  readonly filter?: EventFilter;
  /** Events per array at most. */
  readonly batchSize?: number;
  /** Milliseconds of silence after which an empty array is given. */
  readonly heartbeatMs?: number;
}

/** The store cannot be reached or did not answer in time: what was sent may or may not be stored. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
}
