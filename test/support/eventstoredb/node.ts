import * as grpc from '@grpc/grpc-js';
import type { Access } from './access.js';
import type { Faults } from './faults.js';
import type { Flights } from './flights.js';
import type { FixtureLog } from './fixture-log.js';
import type { Passes } from './passes.js';
import { type Failure, failure } from './wire.js';

/**
 * The state of a node. `initializing`: it opens its files. `unknown`: a leader is being elected. `resigning`: it gives
 * up its leadership. `busy` is no state of a server, but an answer of the protocol that clients must know.
 */
export type NodeState =
  | 'initializing'
  | 'unknown'
  | 'leader'
  | 'follower'
  | 'resigning'
  | 'read-only'
  | 'leaderless'
  | 'busy';

export interface EndPoint {
  readonly address: string;
  readonly port: number;
}

/** What the calls of a node share. */
export interface Node {
  readonly log: FixtureLog;
  readonly faults: Faults;
  looked: number;
  readonly access: Access;
  readonly flights: Flights;
  readonly passes: Passes;
  /** Whether a filtered subscription that found nothing says, once it has caught up, that it is at 2^64 - 1. */
  readonly checkpointsNowhere: boolean;
  readonly state: NodeState;
  /** Null while no leader is known. */
  readonly leader: EndPoint | null;
  /** The number of appends and reads that it did not handle. */
  refused: number;
  unanswered: number;
  /** The number of append sessions that it took. */
  sessions: number;
}

/**
 * Why a node does not handle a request. `forwarded`: it forwarded the request to a leader that does not exist, and got
 * no answer.
 */
export type NotHandled = 'not ready' | 'too busy' | 'no leader' | 'forwarded' | EndPoint;

/**
 * Null if the node handles the request. Followers forward writes to the leader, unless the call requires the leader
 * itself.
 */
export function whyNot({ state, leader }: Node, kind: 'read' | 'write', metadata: grpc.Metadata): NotHandled | null {
  const wantsLeader = metadata.get('requires-leader')[0] === 'true';
  if (state === 'busy') return 'too busy';
  if (state === 'initializing') return 'not ready';
  if (kind === 'write' && (state === 'unknown' || state === 'resigning')) return 'not ready';
  if (state === 'leader' || state === 'resigning') return null;
  if (state === 'unknown') return wantsLeader ? 'not ready' : null;
  if (kind === 'write' && state === 'follower' && !leader) return 'forwarded';
  const isForLeader = wantsLeader || (kind === 'write' && state !== 'follower');
  return isForLeader ? (leader ?? 'no leader') : null;
}

/** The failure of the call. */
export function notHandled(reason: NotHandled): Failure {
  if (reason === 'not ready') return failure(grpc.status.UNAVAILABLE, 'Server Is Not Ready');
  if (reason === 'too busy') return failure(grpc.status.UNAVAILABLE, 'Server Is Too Busy');
  if (reason === 'forwarded') return failure(grpc.status.ABORTED, 'Operation timed out: Forwarding timeout');
  if (reason === 'no leader') return failure(grpc.status.UNKNOWN, 'No leader info available in response');
  return failure(grpc.status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': reason.address,
    'leader-endpoint-port': String(reason.port),
  });
}
