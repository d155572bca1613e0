import type { EventStoreDBClient } from '@eventstore/db-client';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Stream } from 'node:stream';
import type { CallMaker } from '../client-calls.js';
import { installed } from '../installed.js';

interface Reads {
  read(request: streams.ReadReq, ...others: unknown[]): Stream;
}

/**
 * A view of the client whose reads of the log leave out other streams. The client's own reads have no filter, but their
 * requests have room for one.
 */
export function filtered(client: EventStoreDBClient, prefixes: readonly string[], window: number): EventStoreDBClient {
  const { ReadReq } = installed<typeof streams>('@eventstore/db-client/generated/streams_pb.js');
  const { FilterOptions } = ReadReq.Options;
  const filter = new FilterOptions()
    .setStreamIdentifier(new FilterOptions.Expression().setPrefixList([...prefixes]))
    .setMax(window)
    .setCheckpointintervalmultiplier(1);
  return withReads(client, (request) => void request.getOptions()!.setFilter(filter));
}

/** A view of the client that passes the request of each read through `shape`. The client stays as it is. */
function withReads(client: EventStoreDBClient, shape: (request: streams.ReadReq) => void): EventStoreDBClient {
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
