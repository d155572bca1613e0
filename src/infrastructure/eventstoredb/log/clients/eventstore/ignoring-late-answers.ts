import type { EventStoreDBClient } from '@eventstore/db-client';
import { Logger } from '@nestjs/common';
import { Duplex, type Stream } from 'node:stream';
import { withCalls } from '../client-calls.js';

type Listener = (answer: unknown) => void;

/**
 * All clients of a process share one list of the appends that wait for an answer. When one connection fails, the client
 * rejects every append on that list and empties it. The next answer on another connection then throws a `TypeError`
 * without anyone to catch it, which ends the process. This ignores such an answer: its append was already rejected, and
 * is looked up in its stream. (Mended in the client's successor: kurrent-io/KurrentDB-Client-NodeJS#523.)
 */
export const ignoringLateAnswers = (client: EventStoreDBClient): EventStoreDBClient =>
  withCalls(client, (call) => (call instanceof Duplex ? withTolerantListeners(call) : call));

function withTolerantListeners(call: Stream): Stream {
  const listeners = call.listeners('data') as Listener[];
  call.removeAllListeners('data');
  for (const listener of listeners) call.on('data', tolerant(listener));
  return call;
}

/** An append whose answer is ignored though it still waits is looked up once its time is over. */
const tolerant =
  (listener: Listener): Listener =>
  (answer) => {
    try {
      listener(answer);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      new Logger('EventStoreDB').debug(`Ignored an answer to an append that no longer waits for it: ${error.message}`);
    }
  };
