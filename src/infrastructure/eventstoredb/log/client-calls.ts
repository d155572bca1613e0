import type { EventStoreDBClient } from '@eventstore/db-client';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Stream } from 'node:stream';

type Opening = (connection: unknown) => Stream | Promise<Stream>;

/**
 * The client's internal function that opens calls. It is not public, so a test fails if another version of the client
 * changes it.
 */
interface CallMaker {
  GRPCStreamCreator: (kind: unknown, name: string, open: Opening, calls?: unknown) => () => Promise<Stream>;
}

/** Makes the client pass each call that it opens through `shape`. Returns the client. */
export function withCalls(client: EventStoreDBClient, shape: (call: Stream) => Stream): EventStoreDBClient {
  const maker = client as unknown as CallMaker;
  const { GRPCStreamCreator: make } = maker;
  maker.GRPCStreamCreator = (kind, name, open, calls) => {
    return make(kind, name, async (connection) => shape(await open(connection)), calls);
  };
  return client;
}

interface Reads {
  read(request: streams.ReadReq, ...others: unknown[]): Stream;
}

/** A view of the client that passes the request of each read through `shape`. The client stays as it is. */
export function withReads(client: EventStoreDBClient, shape: (request: streams.ReadReq) => void): EventStoreDBClient {
  const maker = client as unknown as CallMaker;
  const GRPCStreamCreator: CallMaker['GRPCStreamCreator'] = (kind, name, open, calls) =>
    maker.GRPCStreamCreator(kind, name, (connection) => open(shaped(connection as Reads, shape)), calls);
  return Object.assign(Object.create(client) as EventStoreDBClient, { GRPCStreamCreator });
}

const shaped = (connection: Reads, shape: (request: streams.ReadReq) => void): Reads => ({
  read: (request, ...others) => {
    shape(request);
    return connection.read(request, ...others);
  },
});
