import { Duplex, type Stream } from 'node:stream';
import { withCalls } from './client-calls.js';

/** gRPC's UNAVAILABLE. On this code the client looks for the leader again. */
const UNAVAILABLE = 14;

/**
 * The messages of a node that cannot append and knows no leader. The message of a busy node is not among them, because
 * that node may be the leader.
 */
const KNOWS_NO_LEADER = new Set(['Server Is Not Ready', 'No leader info available in response']);

/** The one call that all appends share. */
interface AppendCall extends Duplex {
  readonly call?: { cancelWithStatus(code: number, message: string): void };
}

/** The server's answer to one append. */
interface AppendAnswer {
  getError(): { getMessage(): string } | undefined;
}

/**
 * A node without a leader answers each append with an error and leaves their shared call open. The client then stays
 * with that node, even if it is cut off from the others and they have a leader. This ends the call on such an answer,
 * with the error on which the client looks for the leader.
 */
export const leavingLeaderlessNodes = <T extends object>(client: T): T =>
  withCalls(client, (call) => (call instanceof Duplex ? endedWithoutLeader(call) : call));

function endedWithoutLeader(call: AppendCall): Stream {
  return call.on('data', (answer: AppendAnswer) => {
    const said = answer.getError()?.getMessage();
    if (said !== undefined && KNOWS_NO_LEADER.has(said)) call.call?.cancelWithStatus(UNAVAILABLE, said);
  });
}
