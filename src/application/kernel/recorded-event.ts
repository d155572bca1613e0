import type { DomainEvent } from '../../domain/kernel/decider.js';

/** A stored event. */
export interface RecordedEvent<E extends DomainEvent = DomainEvent> {
  readonly position: bigint;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly recordedAt: string;
  readonly event: E;
  readonly envelope: Envelope;
  /** Whether the same append also stored the stream's next event. Set only by a store whose index follows the log. */
  readonly more?: true;
  /** The transaction that this event was part of. Set only by a store whose index follows the log. */
  readonly transaction?: TransactionPart;
}

/** An event as the history shows it, which goes on past what is damaged. */
export interface ShownEvent extends RecordedEvent {
  /** Why the event cannot be read. Its data is empty then. */
  readonly unreadable?: string;
}

/** Who caused the event, why, and in which context. Every event has one, from the first on. */
export interface Envelope {
  readonly actor: string;
  /** The program or assistant that acted on the actor's behalf, as it said. */
  readonly agent?: string;
  readonly correlationId: string;
  readonly reason?: string;
  readonly causationId?: string;
  readonly tenant?: string;
  /** Where the caller's own trace stood: a W3C trace context. */
  readonly traceparent?: string;
  /** The version of the queue's policy that the decision was based on. */
  readonly policyVersion?: number;
}

export interface TransactionPart {
  readonly id: string;
  /** The item's number within the append, from 0. */
  readonly item: number;
  /** How many items the append has. Events that earlier builds stored lack it. */
  readonly of?: number;
  /** Whether one append stored all of it. Otherwise an event of its own holds the transaction. */
  readonly atOnce?: true;
}
