import type { CommandContext } from './command-context.js';
import type { Envelope } from './event-store.port.js';

/** The envelope for the events of a command in this context. */
export function envelopeOf(context: CommandContext, policyVersion?: number): Envelope {
  const { actor, correlationId, causationId, reason, tenant } = context;
  return {
    actor,
    correlationId,
    ...(causationId !== undefined && { causationId }),
    ...(reason !== undefined && { reason }),
    ...(tenant !== undefined && { tenant }),
    ...(policyVersion !== undefined && { policyVersion }),
  };
}
