import type { EventFilter, EventReads, RecordedEvent } from '../../src/application/kernel/event-store.port.js';

/** The events after a position that pass the filter, of the whole log as it is now. */
export async function scanned(
  store: Pick<EventReads, 'head' | 'scan'>,
  filter: EventFilter,
  after = 0n,
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  const upTo = await store.head();
  for (let reached = after; reached < upTo;) {
    const slice = await store.scan({ after: reached, upTo }, 100, filter);
    events.push(...slice.events);
    reached = slice.reached;
  }
  return events;
}
