import { type Stream, Writable } from 'node:stream';
import { withCalls } from './client-calls.js';

/**
 * When a connection applies back-pressure, the client puts appends into a queue of its own. If the connection is lost,
 * it rejects those writes without a listener, which ends the process. This keeps that queue empty: the stream buffers
 * the writes instead, and the limit on concurrent appends bounds the buffer.
 */
export const withoutClientWriteQueue = <T extends object>(client: T): T => withCalls(client, neverFull);

function neverFull(call: Stream): Stream {
  if (!(call instanceof Writable)) return call;
  const write = call.write.bind(call) as (message: unknown) => boolean;
  return Object.assign(call, { write: (message: unknown) => write(message) || true });
}
