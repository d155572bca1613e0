import type { EventView } from '@waybill/client';
import { jsonLine } from '@waybill/client/words';
import type { EventFormat } from './event-format.js';

/**
 * CloudEvents 1.0 in its JSON format, one a line. The stream is the subject. The version is part of the type, because
 * the shape of `data` depends on both. `id` is the event's, so whoever gets an export twice can tell.
 */
export const cloudEvents: EventFormat = async function* (events) {
  for await (const event of events) yield jsonLine(cloudEventOf(event));
};

/** Names of extensions are lower-case letters and digits. */
const cloudEventOf = ({ envelope, ...event }: EventView) => ({
  specversion: '1.0',
  id: event.id,
  source: '/waybill',
  type: `waybill.${event.type}.v${event.version}`,
  subject: event.stream,
  time: event.recordedAt,
  datacontenttype: 'application/json',
  position: event.position,
  revision: event.revision,
  actor: envelope.actor,
  agent: envelope.agent,
  reason: envelope.reason,
  tenant: envelope.tenant,
  correlationid: envelope.correlationId,
  causationid: envelope.causationId,
  traceparent: envelope.traceparent,
  policyversion: envelope.policyVersion,
  unreadable: event.unreadable,
  data: event.data,
});
