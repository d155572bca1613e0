import { type EventStoreDBClient, FORWARDS, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { clientAt } from './client-at.js';
import { Connections } from './connections.js';
import { LogReader } from './log-reader.js';
import { eventsOf } from './readings.js';
import { StreamNames } from './stream-names.js';
import { hasType } from './trouble.js';

/** Not one of the streams that the log shows. */
const STREAM = 'waybill-store';

export interface StoreIdentity {
  readonly id: string;
  /** Where it was named: everything of ours comes after that. */
  readonly since: bigint;
}

/** Where our log is. */
export interface StoreAddress {
  readonly url: string;
  /** Before the name of every stream. */
  readonly prefix: string;
  /** The position of the store's naming, which comes before everything of ours. */
  readonly since: bigint;
}

const SILENCE_MS = 10_000;

/**
 * The id of the store, which it got from whoever came first. By it a database knows the store that its index was made from.
 * Rejects as the client does where the store is out of reach.
 */
export async function storeIdentity(url: string, prefix: string, silenceMs: number): Promise<StoreIdentity> {
  const client = clientAt(url);
  try {
    const stream = prefix + STREAM;
    return (await nameOf(client, stream, silenceMs)) ?? (await name(client, stream, silenceMs));
  } finally {
    await client.dispose();
  }
}

/** Whether anything of ours came after the naming. */
export async function holdsEvents({ url, prefix, since }: StoreAddress): Promise<boolean> {
  const connections = new Connections(url);
  try {
    return (await new LogReader(connections, new StreamNames(prefix), SILENCE_MS, since).head()) > 0n;
  } finally {
    await connections.close();
  }
}

async function nameOf(client: EventStoreDBClient, stream: string, silenceMs: number): Promise<StoreIdentity | null> {
  const reading = client.readStream(stream, { direction: FORWARDS, maxCount: 1 });
  try {
    for await (const { event } of eventsOf(reading, silenceMs)) {
      return { id: (event!.data as { readonly id: string }).id, since: event!.position!.commit };
    }
    return null;
  } catch (error) {
    if (hasType(error, 'stream-not-found')) return null;
    throw error;
  }
}

async function name(client: EventStoreDBClient, stream: string, silenceMs: number): Promise<StoreIdentity> {
  const id = randomUUID();
  try {
    const { position } = await client.appendToStream(stream, jsonEvent({ type: 'StoreNamed', data: { id } }), {
      expectedRevision: NO_STREAM,
    });
    return { id, since: position!.commit };
  } catch (error) {
    if (!hasType(error, 'wrong-expected-version')) throw error;
    return (await nameOf(client, stream, silenceMs))!;
  }
}
