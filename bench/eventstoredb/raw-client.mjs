import { randomUUID } from 'node:crypto';

export const correlationId = randomUUID();
export const data = () => ({ queue: 'mail', kind: 'task', payload: { to: 'ada@example.org', text: 'x'.repeat(80) } });

/** One process loads one of the clients, because their messages have the same names. */
const libraryFor = (url) =>
  url.startsWith('esdb') ? import('@eventstore/db-client') : import('@kurrent/kurrentdb-client');

/** The client for the URL, and its function that makes an event. */
export async function openClient(url) {
  const { EventStoreDBClient, KurrentDBClient, jsonEvent } = await libraryFor(url);
  return { client: (EventStoreDBClient ?? KurrentDBClient).connectionString(url), jsonEvent };
}

/** The database's own client for the URL, without Waybill. Each append stores one event in a stream of its own, as long as Waybill's. */
export class RawClient {
  #client;
  #jsonEvent;

  static async open(url) {
    return new RawClient(await openClient(url));
  }

  constructor({ client, jsonEvent }) {
    this.#client = client;
    this.#jsonEvent = jsonEvent;
  }

  append() {
    const metadata = {
      $correlationId: correlationId,
      actor: 'bench',
      version: 1,
      recordedAt: new Date().toISOString(),
    };
    const event = this.#jsonEvent({ id: randomUUID(), type: 'TaskEnqueued', data: data(), metadata });
    const none = 'no_stream';
    return this.#client.appendToStream(`task-${randomUUID()}`, event, { expectedRevision: none, streamState: none });
  }

  close() {
    return this.#client.dispose();
  }
}
