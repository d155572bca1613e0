import type { Stream } from 'node:stream';

type Opening = (connection: unknown) => Stream | Promise<Stream>;

/**
 * The internal function of both clients that opens calls. It is not public, so a test fails if another version of a
 * client changes it.
 */
export interface CallMaker {
  GRPCStreamCreator: (kind: unknown, name: string, open: Opening, calls?: unknown) => () => Promise<Stream>;
}

/** Makes the client pass each call that it opens through `shape`. Returns the client. */
export function withCalls<T extends object>(client: T, shape: (call: Stream) => Stream): T {
  const maker = client as CallMaker;
  const { GRPCStreamCreator: make } = maker;
  maker.GRPCStreamCreator = (kind, name, open, calls) => {
    return make(kind, name, async (connection) => shape(await open(connection)), calls);
  };
  return client;
}
