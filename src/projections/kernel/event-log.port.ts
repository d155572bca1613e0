import type { DomainEvent } from '../../domain/kernel/decider.js';

/** A stored event, with the parts that read models use. */
export interface Recorded<E extends DomainEvent = DomainEvent> {
  readonly position: bigint;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly recordedAt: string;
  readonly event: E;
  readonly envelope: Envelope;
}

/** Who caused the event, why, and in which context. */
export interface Envelope {
  readonly actor: string;
  readonly agent?: string;
  readonly correlationId?: string;
  readonly causationId?: string;
  readonly reason?: string;
  readonly tenant?: string;
  readonly traceparent?: string;
  readonly policyVersion?: number;
}

/**
 * What queries need of the log itself. Payloads and histories are read from the log and never copied into a second
 * table.
 */
export abstract class EventLog {
  /** The events of each stream in revision order, in the order of the names. An unknown stream gives an empty list. */
  abstract readStreams(streams: readonly string[]): Promise<readonly (readonly Recorded[])[]>;

  /** As `readStreams`, for the first of many streams: as many as have the bytes of a step, and at least one. */
  abstract readFirst(streams: readonly string[]): Promise<readonly (readonly Recorded[])[]>;

  /** Up to `limit` events after position `after`, in commit order. */
  abstract readAll(after: bigint, limit: number): Promise<readonly Recorded[]>;

  /** The position of the newest event; 0n if there is none. */
  abstract head(): Promise<bigint>;

  /** The number of events after one position, up to another; null if the store's positions do not count events. */
  abstract countBetween(after: bigint, upTo: bigint): number | null;
}
