import type { BatchCounts } from '../../domain/batch/batch.events.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import type { IsoTime, Json } from '../../domain/kernel/json.js';
import type { LeaderTerm } from './leader-term.js';
import { type LogSegment, segmentsOf } from './log-segment.js';
import type { Envelope, RecordedEvent, ShownEvent } from './recorded-event.js';

export type { Envelope, RecordedEvent, ShownEvent, TransactionPart } from './recorded-event.js';

/** The part of the event store that queries and the history use. They take no connection from commands. */
export abstract class EventReads {
  /** The events of each stream in revision order, in the order of the names. An unknown stream gives an empty list. */
  abstract readStreams(streams: readonly string[]): Promise<readonly (readonly RecordedEvent[])[]>;

  /**
   * As `readStreams`, for the first of many streams: as many as have `STEP_BYTES`, and at least one. The caller goes on
   * with the others once it has used these.
   */
  readFirst(streams: readonly string[]): Promise<readonly (readonly RecordedEvent[])[]> {
    return this.readStreams(streams);
  }

  /**
   * Looks through the log for at most `limit` events that pass the filter, but not far at once: a filter that nothing
   * passes must not make one read go through the whole log. The next scan begins where this one ended. Damaged events
   * are shown as such, also if their damage hides whether they pass.
   */
  abstract scan(range: LogRange, limit: number, filter: EventFilter): Promise<LogSlice>;

  /** Up to `limit` events after position `after`, in commit order. */
  abstract readAll(after: bigint, limit: number): Promise<readonly RecordedEvent[]>;

  /**
   * Like `readAll`, for followers. The last segment may exceed `limit`. Without `needsPrivate`, a store may leave out the
   * private halves.
   */
  async readSegments(after: bigint, limit: number, _needsPrivate = true): Promise<readonly LogSegment[]> {
    return segmentsOf(await this.readAll(after, limit));
  }

  /** The position of the newest event; 0n if there is none. */
  abstract head(): Promise<bigint>;

  /**
   * A place from which the log can be read, with at most `events` events between it and the position of an event; 0n where
   * the log begins. A store whose positions have gaps must look.
   */
  placeBefore(position: bigint, events: number): Promise<bigint> {
    return Promise.resolve(position > BigInt(events) ? position - BigInt(events) : 0n);
  }

  /** Whether the log can be read from the position on. A store may accept only positions that it has assigned. */
  abstract canReadAfter(position: bigint): Promise<boolean>;

  /**
   * The position before the first event that was recorded at `time` or later; the head if there is none. Uses the order
   * and times of the log, without reading all of it. The events that follow may include some recorded slightly earlier
   * than `time`.
   */
  abstract positionBefore(time: IsoTime): Promise<bigint>;
}

/**
 * Stores events. There is one port with several adapters, which share one contract suite.
 *
 * Every adapter keeps these promises:
 * - An answer is given after the commit. A stored event is never changed, reordered or lost.
 * - Each item of an `append` succeeds or fails as a whole, independently of the others, except that a new task may
 *   wait for those of earlier items. With `atomic`, all items succeed or fail together; each sees the effects of those before it, and may continue the stream of an earlier one.
 * - Positions grow in commit order, so one number serves as a checkpoint. They may have gaps.
 * - Appending the same events (same ids) again answers `duplicate` and stores nothing.
 */
export abstract class EventStore extends EventReads {
  /** Stores each item whose expected revision and conditions hold. Returns one result per item, in order. */
  abstract append(items: readonly AppendItem[], options?: AppendOptions): Promise<readonly AppendResult[]>;

  /** Whether the index follows the log, so that it may lack new events for a moment, or else is written with them. */
  readonly isIndexFollowing: boolean = false;

  /** Whether the index has applied the events up to the position, or does so within a time. */
  async isIndexed(_position: bigint, _waitMs = 0): Promise<boolean> {
    return true;
  }

  /**
   * As `readFirst`, for decisions that are made again on a fresh read if they may be wrong: a store may answer what it
   * has at hand, which may lack the newest events.
   */
  async readAtHand(streams: readonly string[]): Promise<readonly HistoryAtHand[]> {
    return (await this.readFirst(streams)).map(freshHistory);
  }

  /**
   * As `readFirst`, for who asks what an operation has left of its tasks: a store may answer what it has at hand, which lacks nothing up to where
   * `isIndexed`.
   */
  async recall(streams: readonly string[]): Promise<readonly Recollection[]> {
    return (await this.readFirst(streams)).map(recollected);
  }

  /** The event at a position that the store has assigned. Throws if it cannot be read. */
  async readAt(position: bigint): Promise<RecordedEvent> {
    const [recorded] = await this.readAll(position - 1n, 1);
    if (recorded?.position === position) return recorded;
    throw new Error(`Expected an event at position ${position}, but there is none`);
  }

  /** The number of events after one position, up to another; null if the store's positions do not count events. */
  abstract countBetween(after: bigint, upTo: bigint): number | null;

  /**
   * Yields every event after `after`, in commit order, then new ones as they are committed, until `signal` aborts. An
   * empty array is a heartbeat: the subscription has caught up, and no event came for a while.
   */
  abstract subscribe(after: bigint, options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]>;

  /** Like `subscribe`, for followers. */
  async *follow(after: bigint, options: SubscribeOptions): AsyncIterable<readonly LogSegment[]> {
    for await (const events of this.subscribe(after, options)) yield segmentsOf(events);
  }
}

/** A stream's events, whose last one has the revision and position. */
export interface HistoryAtHand {
  readonly events: readonly DomainEvent[];
  /** `NO_STREAM` if there are no events. */
  readonly revision: number;
  readonly position: bigint;
  /** Whether they were read from the stream, so that none of them was lacking then. */
  readonly fresh: boolean;
}

/** A stream's events, each with what it was recorded for. */
export interface Recollection extends Pick<HistoryAtHand, 'revision' | 'position'> {
  readonly events: readonly Recalled[];
}

/** An event. Both are null if it was given by no operation on many tasks, and took no place in line. */
export interface Recalled {
  readonly event: DomainEvent;
  readonly position: bigint | null;
  readonly correlationId: string | null;
}

export function recollected(recorded: readonly RecordedEvent[]): Recollection {
  const { revision = NO_STREAM, position = 0n } = recorded.at(-1) ?? {};
  const events = recorded.map(({ event, position: at, envelope: { correlationId } }) => ({
    event,
    position: at,
    correlationId,
  }));
  return { events, revision, position };
}

export function freshHistory(recorded: readonly RecordedEvent[]): HistoryAtHand {
  const { revision = NO_STREAM, position = 0n } = recorded.at(-1) ?? {};
  return { events: recorded.map(({ event }) => event), revision, position, fresh: true };
}

/** The revision of a stream without events. The first event has revision 0. */
export const NO_STREAM = -1;

export interface AppendItem {
  /** `<category>-<id>`. */
  readonly stream: string;
  /** The revision of the stream's last event, or `NO_STREAM`. */
  readonly expected: number;
  /** May be empty in an atomic append: the item then only demands that the stream is at its revision. */
  readonly events: readonly EventToAppend[];
  readonly conditions?: AppendConditions;
  /** For a `TaskClaimed`: the secret half of the claim's token. Stored with the lease, never in an event. */
  readonly leaseSecret?: string;
  /** The holder of the API key that claims, if the tasks that run for it are limited. Stored with the lease. */
  readonly leaseHolder?: string;
}

/** The revision of each stream before an atomic append, which is the one that its first item expects. */
export function streamBases(items: readonly Pick<AppendItem, 'stream' | 'expected'>[]): ReadonlyMap<string, number> {
  const bases = new Map<string, number>();
  for (const { stream, expected } of items) if (!bases.has(stream)) bases.set(stream, expected);
  return bases;
}

export interface EventToAppend {
  /** A UUID, unique forever, by which the store recognises a repeated append. */
  readonly id: string;
  readonly event: DomainEvent;
  readonly envelope: Envelope;
}

/**
 * What must hold at the moment of the commit, besides the expected revision. A key's one waiting place, unique
 * references and prerequisites need no condition here: they follow from the events and from the queue's policy.
 */
export interface AppendConditions {
  /**
   * The queue's stream is at this revision, so its policy, state and intake are those that the decision was based on.
   */
  readonly queue?: { readonly name: string; readonly revision: number };
  /**
   * The claim still stands. `expired` demands in addition that its deadline has passed, `timedOut` that the longest end of its run
   * has.
   */
  readonly lease?: { readonly token: string } & (
    | { readonly secret: string }
    | { readonly expired: true }
    | { readonly timedOut: true }
  );
  /** No task of the queue runs under the key, stands in line for it, or blocks it. */
  readonly keyFree?: { readonly queue: string; readonly key: string };
  /** No task waits for the new one's key in a queue that gathers, but perhaps this one: it lines up behind that. */
  readonly behind?: string;
  /** No hold in force catches tasks with these labels. */
  readonly notHeld?: Readonly<Record<string, string>>;
  /** The streams of these queues, which the decision also looked at, are at these revisions. */
  readonly queueRevisions?: readonly { readonly name: string; readonly revision: number }[];
  /** This queue has no open task. */
  readonly queueEmpty?: string;
  /** No queue's policy lists this queue among those it waits for. */
  readonly notAwaited?: string;
  /** The batch has this many tasks; `open` of them have not ended. */
  readonly batch?: { readonly id: string } & ({ readonly total: number } | BatchCounts);
  /** The task comes back from its end: no other one has its reference, its batch is not over, and nothing that it `needs` is aborted. */
  readonly returns?: {
    readonly queue: string;
    readonly reference?: string;
    readonly batch?: string;
    readonly needs?: readonly string[];
  };
  /** This task is aborted, or is none. */
  readonly staysAborted?: string;
  /** No unfinished task outside the batch waits for it or for an unfinished task of it. */
  readonly unneeded?: string;
  /** The process that appends still leads. A store without other processes need not look. */
  readonly leader?: LeaderTerm;
  /** Taken by the first append that carries it. */
  readonly idempotencyKey?: IdempotencyKey;
}

/**
 * The key of one request. A request of several items takes it once per item; no other request may take it for any item.
 */
export interface IdempotencyKey {
  readonly key: string;
  /** The item's number; 0 if the request has one item. */
  readonly item: number;
  /** Tells a repeated request from another one under the same key. */
  readonly fingerprint: string;
  /** Stored with the key: how the first request was answered. */
  readonly answer: Json;
}

export type AppendResult =
  | { readonly kind: 'appended'; readonly position: bigint; readonly revision: number; readonly recordedAt: string }
  | { readonly kind: 'conflict'; readonly actual: number }
  | ({ readonly kind: 'refused' } & Refusal)
  | { readonly kind: 'duplicate'; readonly position: bigint; readonly revision: number };

/** The condition that kept an append from being stored although its stream was at the expected revision. */
export type Refusal =
  /** The queue, or another queue that the decision looked at, has changed. */
  | { readonly constraint: 'queue-changed' }
  | { readonly constraint: 'queue-not-empty' }
  /** `queue` waits for the queue that was to be deleted. */
  | { readonly constraint: 'queue-awaited'; readonly queue: string }
  /** Another task has the key's waiting place. */
  | { readonly constraint: 'key-waiting'; readonly taskId: string }
  /** Another task has the reference, which the queue's policy gives to one task at a time, or to one for ever. */
  | { readonly constraint: 'reference'; readonly taskId: string; readonly uniqueReference: 'open' | 'always' }
  /** No task has this id, which the event names as that of a task, or no batch. `is`: what has the id instead. */
  | { readonly constraint: 'prerequisite-not-found'; readonly prerequisite: string; readonly is?: 'task' | 'batch' }
  /** The prerequisite is in a state that it never leaves, and in which it is not done. */
  | { readonly constraint: 'prerequisite-dead'; readonly prerequisite: string; readonly state: string }
  /** Each of these tasks and batches would wait for the next, and the last for the first. */
  | { readonly constraint: 'prerequisite-cycle'; readonly cycle: readonly string[] }
  /** The looks for cycles of one request go over more than `limit` edges of the graph. */
  | { readonly constraint: 'graph-too-large'; readonly limit: number }
  /** No batch has the id, which the event names. */
  | { readonly constraint: 'batch-not-found'; readonly batch: string }
  /** The batch takes no more tasks. */
  | { readonly constraint: 'batch-ended'; readonly batch: string; readonly state: string }
  /** The batch has other tasks; `total` of them. */
  | { readonly constraint: 'batch-differs'; readonly total: number }
  | { readonly constraint: 'prerequisite-back' }
  /** `taskId` waits for the task or batch that was to be deleted. */
  | { readonly constraint: 'task-awaited'; readonly taskId: string }
  /** A batch has the id of the task that was to be created, or a task that of the batch. */
  | { readonly constraint: 'id-taken' }
  /** The system drains, and takes no new tasks. */
  | { readonly constraint: 'draining'; readonly by: string; readonly reason: string | null }
  /** This hold catches the task. */
  | { readonly constraint: 'held'; readonly hold: string; readonly by: string; readonly reason: string | null }
  /** Another task uses the key that had to be free. */
  | { readonly constraint: 'key-busy'; readonly taskId: string }
  /** The claim has ended or, for an expiry, was extended. */
  | { readonly constraint: 'lease' }
  /** The claim id already got tasks. */
  | { readonly constraint: 'claim-repeated' }
  /** The key already has an answer, perhaps to another request. */
  | { readonly constraint: 'idempotency-key'; readonly recorded: RecordedAnswer }
  /** Another process leads. */
  | { readonly constraint: 'leader' }
  /** The append is larger than this store accepts. */
  | ({ readonly constraint: 'too-large' } & TooLarge);

export interface TooLarge {
  readonly bytes: number;
  readonly limit: number;
}

/** How the first request under an idempotency key was answered. */
export interface RecordedAnswer extends Pick<IdempotencyKey, 'fingerprint' | 'answer'> {
  /** The stream that the answer is about, and its revision then. */
  readonly stream: string;
  readonly revision: number;
  /** Decimal. */
  readonly position: string;
}

export interface AppendOptions {
  /** Stores all items or none. If one cannot be stored, the others answer `conflict` with their actual revision. */
  readonly atomic?: boolean;
}

export interface EventFilter {
  /** Only events of this stream. */
  readonly stream?: string;
  readonly categories?: readonly string[];
  readonly types?: readonly string[];
  /** Only events that name this queue: its own and its tasks'. */
  readonly queue?: string;
  /** Only events that this actor caused. */
  readonly actor?: string;
  /** Only claims of workers of this build. */
  readonly build?: string;
  /** Only events that were decided by this version of their queue's policy. */
  readonly policyVersion?: number;
}

/** The events after a position, up to and including another, which the log has reached. */
export interface LogRange {
  readonly after: bigint;
  readonly upTo: bigint;
}

/** A part of the log, as far as it was looked through. */
export interface LogSlice {
  /** Every event of this part that passes the filter, in commit order. */
  readonly events: readonly ShownEvent[];
  /** The end of this part. The log can be read from there on, even if no event passed. */
  readonly reached: bigint;
}

export interface SubscribeOptions {
  readonly signal: AbortSignal;
  /** The most events per array. */
  readonly batchSize?: number;
  /** Milliseconds of silence after which an empty array is yielded. */
  readonly heartbeatMs?: number;
  /** Asked before each read of a follower. If it says no, a store may leave out the private halves. */
  readonly needsPrivate?: () => boolean;
}

/** The store is unreachable or did not answer in time. What was sent may or may not be stored. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
}
