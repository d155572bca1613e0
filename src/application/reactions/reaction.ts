import type { RecordedEvent } from '../kernel/event-store.port.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import type { CommandContext } from '../kernel/command-context.js';
import { followUpContext } from '../kernel/follow-up-context.js';

/**
 * Code that turns events into commands. It receives every event that concerns it at least once, and some concurrently,
 * so its effect must tolerate repetition and any order, however late. An error that would meet every event (an
 * unreachable store, `NotTakenNow`) holds all of them. After any other, the event is put aside and tried again.
 */
export interface Reaction {
  readonly name: string;
  /** The types of events that the reaction may act on. */
  readonly types: readonly string[];
  /** Whether the reaction may act on an event of these types. It must look at nothing but the event. */
  concerns(event: DomainEvent): boolean;
  react(recorded: RecordedEvent): Promise<void>;
}

/** The context of a reaction's commands: the actor is the reaction. */
export const reactionContext = (reaction: string, event: RecordedEvent): CommandContext =>
  followUpContext(`reaction:${reaction}`, event);
