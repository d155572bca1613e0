import type { ReadPosition, ResolvedEvent, StoreClient } from './clients/store-client.port.js';
import { eventsOf } from './clients/readings.js';

/** The server goes on looking until the client, which has what it wants, has ended the call. */
const NEAR_WINDOW = 128;
/** The server has no more events now. */
const CAUGHT_UP: ResolvedEvent = {};

/** Which part of the log to look through, and for which streams: the server leaves out the others. */
export interface Search {
  readonly prefixes: readonly string[];
  readonly fromPosition: ReadPosition;
  readonly silenceMs: number;
}

/**
 * The events after a position, up to the log's end, oldest first. Elements without an event tell how far the server has
 * looked, once per `SEARCH_WINDOW` events. A read of the log cannot tell this, so this is a subscription that ends.
 */
export async function* searchForwards(
  client: StoreClient,
  { prefixes, fromPosition, silenceMs }: Search,
): AsyncGenerator<ResolvedEvent> {
  const subscription = client.follow({
    fromPosition,
    prefixes,
    looked: (reading, position) => void reading.push({ commitPosition: position }),
  });
  subscription.on('caughtUp', () => subscription.push(CAUGHT_UP));
  for await (const resolved of eventsOf(subscription, silenceMs)) {
    if (resolved === CAUGHT_UP) return;
    yield resolved;
  }
}

/** The events before a position, newest first. Silent while the server looks through the events of others. */
export function searchBackwards(
  client: StoreClient,
  { prefixes, fromPosition, silenceMs }: Search,
  maxCount = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<ResolvedEvent> {
  const reading = client.readAll({ direction: 'backwards', fromPosition, maxCount, prefixes });
  return eventsOf(reading, silenceMs);
}

/** The events from a position on, for few events that are near to one another: silent like `searchBackwards`. */
export function searchOnwards(
  client: StoreClient,
  { prefixes, fromPosition, silenceMs }: Search,
): AsyncGenerator<ResolvedEvent> {
  const reading = client.readAll({ direction: 'forwards', fromPosition, prefixes, window: NEAR_WINDOW });
  return eventsOf(reading, silenceMs);
}
