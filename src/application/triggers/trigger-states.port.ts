import type { KnownTrigger } from '../../domain/trigger/trigger.state.js';

/** A trigger as its row has it, so that its stream, which grows with every firing, need not be read. */
export interface StoredTrigger {
  readonly name: string;
  readonly state: KnownTrigger;
  readonly revision: number;
  readonly position: bigint;
}

/** The triggers as of the last event that the index has applied. */
export abstract class TriggerStates {
  /** Null if no trigger has the name. */
  abstract named(name: string): Promise<StoredTrigger | null>;
}
