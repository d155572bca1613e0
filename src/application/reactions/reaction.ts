import type { RecordedEvent } from '../kernel/event-store.port.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import type { CommandContext } from '../kernel/command-context.js';

/**
 * What must follow an event. It is told of every event that concerns it at least once, of some at the same time; so what it does must do no
 * harm twice, nor in another order.
 * It throws only what may be tried again (contention, an unreachable store) or what is a bug, and a bug stops it.
 */
export interface Reaction {
  readonly name: string;
  /** Whether it may do something about the event: asked of every event of the log, so it looks at nothing else. */
  concerns(event: DomainEvent): boolean;
  react(recorded: RecordedEvent): Promise<void>;
}

/** Who acts here is the reaction; the cause is the event, so that the same event always causes the same. */
export const reactionContext = (reaction: string, { id, envelope }: RecordedEvent): CommandContext => ({
  actor: `reaction:${reaction}`,
  correlationId: envelope.correlationId,
  causationId: id,
  ...(envelope.tenant !== undefined && { tenant: envelope.tenant }),
});
