import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FairRoom } from '../../domain/kernel/fair-room.js';
import { holderOf } from '../access/holder.js';
import { ApiError } from '../problems/api-error.js';
import { whenOver } from './when-over.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The room of the body; null if it has none. */
    bodyRoom: BodyRoom | null;
  }
}

/** The bytes that a body counts with. */
export interface BodyRoom {
  /** Gives back what is more than `bytes`. */
  shrinkTo(bytes: number): void;
}

export interface BodyLimits {
  /** The most bytes of one body. */
  readonly bodyBytes: number;
  /** The most bytes of all bodies whose requests are in progress. */
  readonly bytesInFlight: number;
}

export const USUAL_LIMITS: BodyLimits = { bodyBytes: 4 * 1024 * 1024, bytesInFlight: 32 * 1024 * 1024 };

/** Bodies of claims, heartbeats and verdicts are not larger, as a rule. They have room of their own. */
const SMALL_BODY = 16 * 1024;

/**
 * Counts the bytes of bodies from the head of their request until its answer is sent, because what a body became stays
 * in memory as long, or until its request does nothing but wait. A body counts with the length that its request
 * declares; without one, with the most that it may have until it is there.
 */
export class BodyBudget {
  constructor(
    private readonly bodyBytes: number,
    private readonly rooms: { readonly bodies: FairRoom; readonly smallBodies: FairRoom },
  ) {}

  /**
   * Throws `BODY_TOO_LARGE`, or `OVERLOADED` if the body does not fit beside those in progress. The rest of a refused body
   * is read and dropped, so that its client sees the answer.
   */
  take(request: FastifyRequest, reply: FastifyReply): void {
    const bytes = this.bytesOf(request);
    if (bytes === 0) return;
    const room = bytes <= SMALL_BODY ? this.rooms.smallBodies : this.rooms.bodies;
    const holder = holderOf(request);
    const lack = room.take(holder, bytes);
    if (lack) throw overloaded(bytes, room, lack === 'share' ? holder : null);
    let held = bytes;
    const shrinkTo = (left: number): void => {
      if (left < held) room.giveBack(holder, held - left);
      held = Math.min(held, left);
    };
    request.bodyRoom = { shrinkTo };
    whenOver(reply, () => shrinkTo(0));
  }

  private bytesOf({ headers, routeOptions }: FastifyRequest): number {
    const most = Math.min(routeOptions.config.signedBytes ?? this.bodyBytes, this.bodyBytes);
    if (headers['transfer-encoding'] !== undefined) return most;
    const bytes = Number(headers['content-length'] ?? 0);
    if (bytes <= most) return bytes;
    throw new ApiError('BODY_TOO_LARGE', `Expected a body of at most ${most} bytes, but it has ${bytes}`);
  }
}

function overloaded(bytes: number, { most }: FairRoom, holder: string | null): ApiError {
  const [whose, limit] = holder ? [` of ${holder}`, `half of what others leave of ${most}`] : ['', String(most)];
  return new ApiError(
    'OVERLOADED',
    `Expected the bodies of the requests in progress${whose} to have at most ${limit} bytes, but with the ${bytes} of this one they have more: try again later`,
    { 'retry-after': '1' },
  );
}
