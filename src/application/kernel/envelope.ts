import type { CommandContext } from './command-context.js';
import type { Envelope } from './event-store.port.js';

/** The envelope for the events of a command in this context. */
export function envelopeOf(context: CommandContext, policyVersion?: number): Envelope {
  const { actor, agent, correlationId, causationId, reason, tenant, traceparent } = context;
  return {
    actor,
    ...(agent !== undefined && { agent }),
    correlationId,
    ...(causationId !== undefined && { causationId }),
    ...(reason !== undefined && { reason }),
    ...(tenant !== undefined && { tenant }),
    ...(traceparent !== undefined && { traceparent }),
    ...(policyVersion !== undefined && { policyVersion }),
  };
}
