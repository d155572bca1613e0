import type { EventStoreDBClient } from '@eventstore/db-client';
import { type Stream, Writable } from 'node:stream';
import { withCalls } from './client-calls.js';

/**
 * While a connection takes nothing more, the client lets appends stand in a line of its own, and when the connection is lost it rejects
 * their writes where nobody listens, which ends the process. Here none comes to stand there: what the connection does not take yet
 * waits in its stream, and the appends that are made at once are bounded.
 */
export const withoutClientWriteQueue = (client: EventStoreDBClient): EventStoreDBClient => withCalls(client, neverFull);

function neverFull(call: Stream): Stream {
  if (!(call instanceof Writable)) return call;
  const write = call.write.bind(call) as (message: unknown) => boolean;
  return Object.assign(call, { write: (message: unknown) => write(message) || true });
}
