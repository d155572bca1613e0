import type { EventStoreDBClient } from '@eventstore/db-client';
import { Duplex, type Stream } from 'node:stream';
import { withCalls } from './client-calls.js';

/** gRPC's UNAVAILABLE, on which the client looks for the leader. */
const UNAVAILABLE = 14;

/** The words of a node that takes no appends and knows of none that does. A busy one may be the leader. */
const KNOWS_NO_LEADER = new Set(['Server Is Not Ready', 'No leader info available in response']);

/** The call that all appends share. */
interface AppendCall extends Duplex {
  readonly call?: { cancelWithStatus(code: number, message: string): void };
}

/** What the server answers to one append. */
interface AppendAnswer {
  getError(): { getMessage(): string } | undefined;
}

/**
 * A node without a leader answers so to each append and leaves their call open. The client stays with it then, even if it is cut off
 * from the others and they have a leader. Here such an answer ends the call, as it ends every other call of the client.
 */
export const leavingLeaderlessNodes = (client: EventStoreDBClient): EventStoreDBClient =>
  withCalls(client, (call) => (call instanceof Duplex ? endedWithoutLeader(call) : call));

function endedWithoutLeader(call: AppendCall): Stream {
  return call.on('data', (answer: AppendAnswer) => {
    const said = answer.getError()?.getMessage();
    if (said !== undefined && KNOWS_NO_LEADER.has(said)) call.call?.cancelWithStatus(UNAVAILABLE, said);
  });
}
