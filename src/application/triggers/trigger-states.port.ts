import type { IsoTime } from '../../domain/kernel/json.js';
import type { LeftOut } from '../../domain/trigger/trigger.events.js';
import type { KnownTrigger } from '../../domain/trigger/trigger.state.js';
import type { Stored } from '../kernel/stream-commands.js';

/** The follower that makes the tasks of triggers that wait for events. */
export const EVENT_TRIGGERS = 'event-triggers';

export type StoredTrigger = Stored<KnownTrigger>;

/** A trigger whose time has come. */
export interface DueTrigger extends StoredTrigger {
  /** Whether the queue that the trigger polls gives out nothing. */
  readonly isIdle: boolean;
}

/** A poll of a queue that found nothing: when it was due, and when the next one is. */
export interface EmptyPoll {
  readonly trigger: string;
  readonly from: IsoTime;
  readonly next: IsoTime;
}

/** The triggers as of the last event that the index has applied. */
export abstract class TriggerStates {
  /** Null if no trigger has the name. */
  abstract named(name: string): Promise<StoredTrigger | null>;

  abstract all(): Promise<readonly StoredTrigger[]>;

  /** Those whose events the index cannot apply, so that nobody knows what they are, with the reason. */
  abstract lost(): Promise<ReadonlyMap<string, string>>;

  /** The events of which the trigger owes a task; null if there are none. */
  abstract owedEvents(name: string): Promise<LeftOut | null>;

  /** Of these claim ids, those that a claim has taken. */
  abstract claimsMade(claimIds: readonly string[]): Promise<ReadonlySet<string>>;

  /** Moves the next poll of each trigger that still waits for `from`. Records no event, because nothing happened. */
  abstract pollLater(polls: readonly EmptyPoll[]): Promise<void>;
}
