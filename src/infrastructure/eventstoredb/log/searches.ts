import {
  BACKWARDS,
  type EventStoreDBClient,
  type ReadPosition,
  type ResolvedEvent,
  streamNameFilter,
} from '@eventstore/db-client';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { withReads } from './client-calls.js';
import { eventsOf } from './readings.js';

/**
 * How many events the server looks through at once. Of 480,300 events it found 1,280 within 2.0 to 2.4 s with 64, and
 * within 1.1 s with 2,048; 20,000 are no faster.
 */
export const SEARCH_WINDOW = 2_048;
/** The checkpoint that servers before 24.10.5 send if no event matched. */
const NO_CHECKPOINT = 18_446_744_073_709_551_615n;
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
  client: EventStoreDBClient,
  { prefixes, fromPosition, silenceMs }: Search,
): AsyncGenerator<ResolvedEvent> {
  const subscription = client.subscribeToAll({
    fromPosition,
    filter: streamNameFilter({
      prefixes: [...prefixes],
      maxSearchWindow: SEARCH_WINDOW,
      checkpointReached: (reading, { commit }) => {
        if (commit !== NO_CHECKPOINT) reading.push({ commitPosition: commit });
      },
    }),
  });
  subscription.on('caughtUp', () => subscription.push(CAUGHT_UP));
  for await (const resolved of eventsOf(subscription, silenceMs)) {
    if (resolved === CAUGHT_UP) return;
    yield resolved;
  }
}

/** The events before a position, newest first. Silent while the server looks through the events of others. */
export function searchBackwards(
  client: EventStoreDBClient,
  { prefixes, fromPosition, silenceMs }: Search,
  maxCount = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<ResolvedEvent> {
  const reading = filtered(client, prefixes).readAll({ direction: BACKWARDS, fromPosition, maxCount });
  return eventsOf(reading, silenceMs);
}

/** The client's own reads of the log have no filter, but their requests have room for one. */
function filtered(client: EventStoreDBClient, prefixes: readonly string[]): EventStoreDBClient {
  const { FilterOptions } = streams.ReadReq.Options;
  const filter = new FilterOptions()
    .setStreamIdentifier(new FilterOptions.Expression().setPrefixList([...prefixes]))
    .setMax(SEARCH_WINDOW)
    .setCheckpointintervalmultiplier(1);
  return withReads(client, (request) => void request.getOptions()!.setFilter(filter));
}
