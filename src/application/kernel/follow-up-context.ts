import type { CommandContext } from './command-context.js';
import type { RecordedEvent } from './recorded-event.js';

/**
 * The context in which the service itself follows an event up: the cause is the event, so the same event always causes the same command. What
 * follows is recorded within the trace of the event.
 */
export const followUpContext = (
  actor: string,
  { id, envelope }: Pick<RecordedEvent, 'id' | 'envelope'>,
): CommandContext => ({
  actor,
  correlationId: envelope.correlationId,
  causationId: id,
  ...(envelope.tenant !== undefined && { tenant: envelope.tenant }),
  ...(envelope.traceparent !== undefined && { traceparent: envelope.traceparent }),
});
