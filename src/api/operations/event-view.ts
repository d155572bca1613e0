import type { ShownEvent } from '../../application/kernel/event-store.port.js';
import type { EventView } from '../../projections/tasks/tasks.queries.js';

/** An event as histories show it. */
export const eventViewOf = ({
  position,
  stream,
  revision,
  id,
  recordedAt,
  event,
  envelope,
  unreadable,
}: ShownEvent): EventView => ({
  position: String(position),
  stream,
  revision,
  id,
  type: event.type,
  version: event.version,
  recordedAt,
  data: event.data as EventView['data'],
  envelope,
  ...(unreadable !== undefined && { unreadable }),
});
