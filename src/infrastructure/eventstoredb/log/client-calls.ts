import type { EventStoreDBClient } from '@eventstore/db-client';
import type { Stream } from 'node:stream';

type Opening = (connection: unknown) => Stream | Promise<Stream>;

/** What of the client makes its calls. Not public, so that a test tells when another version does otherwise. */
interface CallMaker {
  GRPCStreamCreator: (kind: unknown, name: string, open: Opening, calls?: unknown) => () => Promise<Stream>;
}

/** The client, which from now on uses what `shape` makes of each call that it opens. */
export function withCalls(client: EventStoreDBClient, shape: (call: Stream) => Stream): EventStoreDBClient {
  const maker = client as unknown as CallMaker;
  const { GRPCStreamCreator: make } = maker;
  maker.GRPCStreamCreator = (kind, name, open, calls) => {
    return make(kind, name, async (connection) => shape(await open(connection)), calls);
  };
  return client;
}
