import { randomUUID } from 'node:crypto';
import { clientAt } from '../../../src/infrastructure/eventstoredb/log/clients/client-at.js';
import { NO_STREAM } from '../../../src/application/kernel/event-store.port.js';
import { eventsOf } from '../../../src/infrastructure/eventstoredb/log/clients/readings.js';
import { EventStoreDbFixture } from '../../support/eventstoredb/fixture.js';

const SILENCE_MS = 10_000;
/**
 * More than the client passes to a reader that does not ask, and fewer than it takes from the server, so that the call
 * has ended.
 */
const EVENTS = 40;

let server: EventStoreDbFixture;
beforeAll(async () => {
  server = await EventStoreDbFixture.start();
});
afterAll(() => server.stop());

it('a read that is left early does not keep its client from closing', async () => {
  const client = clientAt(server.url);
  const events = Array.from({ length: EVENTS }, (_, n) => ({ id: randomUUID(), type: 'Counted', data: { n } }));
  await client.append('numbers', NO_STREAM, events);
  for await (const { event } of eventsOf(client.readStream('numbers'), SILENCE_MS)) {
    expect(event!.data).toEqual({ n: 0 });
    // Its answer follows the rest of the other call on the same connection.
    await client.readStream('numbers').toArray();
    break;
  }
  await client.close();
});
