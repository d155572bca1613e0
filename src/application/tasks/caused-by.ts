import type { CommandContext } from '../kernel/command-context.js';
import type { RecordedEvent } from '../kernel/event-store.port.js';

/** The context of what follows from an event: its actor, its reason, its trace, and what it was done for. */
export function causedBy({ id, envelope }: Pick<RecordedEvent, 'id' | 'envelope'>): CommandContext {
  const { actor, correlationId, reason, traceparent } = envelope;
  return {
    actor,
    correlationId,
    causationId: id,
    ...(reason !== undefined && { reason }),
    ...(traceparent !== undefined && { traceparent }),
  };
}
