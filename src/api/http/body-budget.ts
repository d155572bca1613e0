import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../problems/api-error.js';

export interface BodyLimits {
  /** The most bytes of one body. */
  readonly bodyBytes: number;
  /** The most bytes of all bodies whose requests are in progress. */
  readonly bytesInFlight: number;
}

export const USUAL_LIMITS: BodyLimits = { bodyBytes: 4 * 1024 * 1024, bytesInFlight: 32 * 1024 * 1024 };

/** Heartbeats and verdicts are about this large at most. Larger bodies leave them a quarter of the bytes. */
const SMALL = 64 * 1024;

/**
 * Counts the bytes of bodies from the head of their request until its answer is sent, because what a body became stays
 * in memory as long. A body counts with the length that its request declares; without one, with the most that it may
 * have.
 */
export class BodyBudget {
  private taken = 0;

  constructor(private readonly limits: BodyLimits) {}

  /** Throws `OVERLOADED` if the body does not fit beside those in progress. */
  take({ headers }: FastifyRequest, { raw }: FastifyReply): void {
    const bytes = this.bytesOf(headers);
    if (bytes === 0) return;
    if (this.taken > 0 && this.taken + bytes > this.roomFor(bytes)) throw overloaded(bytes, this.limits.bytesInFlight);
    this.taken += bytes;
    raw.once('close', () => (this.taken -= bytes));
  }

  /** A body that is too large is refused before it is read. */
  private bytesOf(headers: FastifyRequest['headers']): number {
    const { bodyBytes } = this.limits;
    if (headers['transfer-encoding'] !== undefined) return bodyBytes;
    return Math.min(Number(headers['content-length'] ?? 0), bodyBytes);
  }

  private roomFor(bytes: number): number {
    const { bytesInFlight } = this.limits;
    return bytes <= SMALL ? bytesInFlight : bytesInFlight * 0.75;
  }
}

const overloaded = (bytes: number, most: number): ApiError =>
  new ApiError(
    'OVERLOADED',
    `Expected the bodies of the requests in progress to have at most ${most} bytes, but with the ${bytes} of this one they have more: try again later`,
    { 'retry-after': '1' },
  );
