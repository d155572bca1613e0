import type { EventStoreDBClient } from '@eventstore/db-client';
import { type Stream, Writable } from 'node:stream';

type Opening = (connection: unknown) => Stream | Promise<Stream>;

/** What of the client makes its calls. Not public, so that a test tells when another version does otherwise. */
interface CallMaker {
  GRPCStreamCreator: (kind: unknown, name: string, open: Opening, calls?: unknown) => () => Promise<Stream>;
}

/**
 * While a connection takes nothing more, the client lets appends stand in a line of its own, and when the connection is lost it rejects
 * their writes where nobody listens, which ends the process. Here none comes to stand there: what the connection does not take yet
 * waits in its stream, and the appends that are made at once are bounded.
 */
export function withoutClientWriteQueue(client: EventStoreDBClient): EventStoreDBClient {
  const maker = client as unknown as CallMaker;
  const { GRPCStreamCreator: make } = maker;
  maker.GRPCStreamCreator = (kind, name, open, calls) => {
    return make(kind, name, async (connection) => neverFull(await open(connection)), calls);
  };
  return client;
}

function neverFull(call: Stream): Stream {
  if (!(call instanceof Writable)) return call;
  const write = call.write.bind(call) as (message: unknown) => boolean;
  return Object.assign(call, { write: (message: unknown) => write(message) || true });
}
