import { MOST_WAITING } from '../../application/claims/task-claimer.js';
import { FairRoom } from '../../domain/kernel/fair-room.js';
import { OpenStreams, type StreamLimits } from '../access/open-streams.js';
import type { BodyLimits } from './body-budget.js';

/** What the holders share in a process: bytes in memory, and places. */
export interface Rooms {
  /** The bytes of bodies, except for small ones. */
  readonly bodies: FairRoom;
  readonly smallBodies: FairRoom;
  /** The bytes of large answers that clients have not taken. */
  readonly answers: FairRoom;
  readonly waitingClaims: FairRoom;
  readonly streams: OpenStreams;
  readonly followers: OpenStreams;
  readonly connections: FairRoom;
}

/** The rooms by the names that metrics and readiness use. */
export const namedRooms = (rooms: Rooms): readonly (readonly [name: string, room: FairRoom])[] => [
  ['bodies', rooms.bodies],
  ['small_bodies', rooms.smallBodies],
  ['answers', rooms.answers],
  ['waiting_claims', rooms.waitingClaims],
  ['streams', rooms.streams],
  ['followers', rooms.followers],
  ['connections', rooms.connections],
];

export const roomsOf = ({ bytesInFlight }: BodyLimits, streams: StreamLimits, connections: FairRoom): Rooms => ({
  bodies: new FairRoom(bytesInFlight * 0.75),
  smallBodies: new FairRoom(bytesInFlight * 0.25),
  answers: new FairRoom(bytesInFlight),
  waitingClaims: new FairRoom(MOST_WAITING),
  streams: new OpenStreams(streams),
  followers: OpenStreams.ofFollowers(streams),
  connections,
});
