import { EventStoreDbFixture, type FixtureOptions } from './fixture.js';
import { openStore, type StoreFixture } from './open-store.js';

/** Two processes of one installation, on a server of its own. */
export interface TwoProcesses {
  readonly server: EventStoreDbFixture;
  readonly one: StoreFixture;
  readonly other: StoreFixture;
  close(): Promise<void>;
}

export async function startTwoProcesses(options: FixtureOptions): Promise<TwoProcesses> {
  const server = await EventStoreDbFixture.start(options);
  const one = await openStore({ url: server.url });
  const other = await openStore({ url: server.url, prefix: one.prefix, databaseUrl: one.databaseUrl });
  const close = async (): Promise<void> => {
    await other.close();
    await one.close();
    await server.stop();
  };
  return { server, one, other, close };
}
