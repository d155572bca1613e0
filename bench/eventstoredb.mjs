// Appends through the adapter beside the raw client, on the test fixture in a process of its own: `npm run bench:eventstoredb`.
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { startFixture } from '../scripts/eventstoredb-fixture.mjs';
import { EventStoreDbLog } from '../dist/infrastructure/event-store/eventstoredb/eventstoredb-log.js';

const ROUNDS = 3;
const SEQUENTIAL = Number(process.env.EVENTS ?? 500);
const CONCURRENT = SEQUENTIAL * 6;

const data = () => ({ queue: 'mail', kind: 'task', payload: { to: 'ada@example.org', text: 'x'.repeat(80) } });
const envelope = { actor: 'bench', correlationId: randomUUID() };

const rawWith = (client) => () => {
  const event = jsonEvent({
    id: randomUUID(),
    type: 'TaskEnqueued',
    data: data(),
    metadata: { ...envelope, version: 1 },
  });
  return client.appendToStream(`task-${randomUUID()}`, event, { expectedRevision: NO_STREAM });
};

const adapterWith = (log) => () =>
  log.append([
    {
      stream: `task-${randomUUID()}`,
      expected: -1,
      events: [{ id: randomUUID(), event: { type: 'TaskEnqueued', version: 1, data: data() }, envelope }],
    },
  ]);

async function rate(count, work) {
  const begun = performance.now();
  await work();
  return (count / (performance.now() - begun)) * 1_000;
}

const sequential = (append) =>
  rate(SEQUENTIAL, async () => {
    for (let n = 0; n < SEQUENTIAL; n++) await append();
  });
const concurrent = (append) => rate(CONCURRENT, () => Promise.all(Array.from({ length: CONCURRENT }, append)));

const best = (figures) => Math.round(Math.max(...figures));

const fixture = await startFixture();
const clock = { iso: () => new Date().toISOString() };
const log = new EventStoreDbLog({ url: fixture.url, clock });
const client = EventStoreDBClient.connectionString(fixture.url);
const ways = { 'raw client': rawWith(client), adapter: adapterWith(log) };
for (const [name, measure] of Object.entries({ sequential, concurrent })) {
  const figures = { 'raw client': [], adapter: [] };
  // Interleaved, so that what else the machine does meets both.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [way, append] of Object.entries(ways)) figures[way].push(await measure(append));
  }
  const [raw, adapter] = [best(figures['raw client']), best(figures.adapter)];
  const share = Math.round((adapter / raw) * 100);
  console.log(
    `${name}: raw client ${raw}/s, adapter ${adapter}/s, ${share} % (goal 80 %: ${share >= 80 ? 'met' : 'not met'})`,
  );
}
await Promise.all([log.close(), client.dispose()]);
fixture.stop();
