import { EventStoreDbFixture } from './fixture.js';

// Start it with `npm run eventstoredb:fixture -- [port]`. Everything is lost when it ends.
const fixture = await EventStoreDbFixture.start({ port: Number(process.argv[2] ?? 2113) });
console.log(`A test fixture, not a database: its events live in memory only.\nEVENT_STORE_URL=${fixture.url}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void fixture.stop());
