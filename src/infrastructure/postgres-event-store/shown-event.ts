import type { Envelope, ShownEvent } from '../../application/kernel/event-store.port.js';
import { eventCodec } from '../event-codec/event-codec.js';
import { objectIn } from '../event-codec/segment-text.js';

/** What the database keeps of an event beside its text. */
type EventLocation = Omit<ShownEvent, 'event' | 'envelope'>;

interface Text {
  readonly type: string;
  readonly version: number;
  readonly data: string;
  readonly meta: string;
}

/** The envelope of an event whose own cannot be read. */
const UNKNOWN: Envelope = { actor: 'unknown', correlationId: '' };

/** The event, as it was stored if this program does not know it. Of a damaged one, what can be read. */
export function shownEvent(place: EventLocation, { type, version, data, meta }: Text): ShownEvent {
  let envelope = UNKNOWN;
  try {
    envelope = objectIn(meta) as Envelope;
    return { ...place, envelope, event: eventCodec.decodeAny(type, version, data) };
  } catch (error) {
    const { message } = error as Error;
    return { ...place, envelope, event: { type, version, data: {} }, unreadable: message };
  }
}
