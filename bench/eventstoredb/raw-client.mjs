import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';

export const correlationId = randomUUID();
export const data = () => ({ queue: 'mail', kind: 'task', payload: { to: 'ada@example.org', text: 'x'.repeat(80) } });

/** The database's own client, without Waybill. Each append stores one event in a stream of its own, as long as Waybill's. */
export class RawClient {
  #client;

  constructor(url) {
    this.#client = EventStoreDBClient.connectionString(url);
  }

  append() {
    const metadata = {
      $correlationId: correlationId,
      actor: 'bench',
      version: 1,
      recordedAt: new Date().toISOString(),
    };
    const event = jsonEvent({ id: randomUUID(), type: 'TaskEnqueued', data: data(), metadata });
    return this.#client.appendToStream(`task-${randomUUID()}`, event, { expectedRevision: NO_STREAM });
  }

  close() {
    return this.#client.dispose();
  }
}
