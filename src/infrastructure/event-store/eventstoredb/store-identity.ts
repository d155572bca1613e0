import { EventStoreDBClient, FORWARDS, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { eventsOf } from './readings.js';
import { hasType } from './trouble.js';

/** Not one of the streams that the log shows. */
const STREAM = 'waybill-store';

/**
 * The id of the store, which it got from whoever came first. By it a database knows the store that its index was made from.
 * Rejects as the client does where the store is out of reach.
 */
export async function storeIdentity(url: string, prefix: string, silenceMs: number): Promise<string> {
  const client = EventStoreDBClient.connectionString(url);
  try {
    const stream = prefix + STREAM;
    return (await nameOf(client, stream, silenceMs)) ?? (await name(client, stream, silenceMs));
  } finally {
    await client.dispose();
  }
}

async function nameOf(client: EventStoreDBClient, stream: string, silenceMs: number): Promise<string | null> {
  const reading = client.readStream(stream, { direction: FORWARDS, maxCount: 1 });
  try {
    for await (const { event } of eventsOf(reading, silenceMs)) return (event!.data as { readonly id: string }).id;
    return null;
  } catch (error) {
    if (hasType(error, 'stream-not-found')) return null;
    throw error;
  }
}

async function name(client: EventStoreDBClient, stream: string, silenceMs: number): Promise<string> {
  const id = randomUUID();
  try {
    await client.appendToStream(stream, jsonEvent({ type: 'StoreNamed', data: { id } }), {
      expectedRevision: NO_STREAM,
    });
    return id;
  } catch (error) {
    if (!hasType(error, 'wrong-expected-version')) throw error;
    return (await nameOf(client, stream, silenceMs))!;
  }
}
