import type { FastifyReply, FastifyRequest } from 'fastify';
import { ByteBudget } from '../../domain/kernel/byte-budget.js';
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
  private readonly budget: ByteBudget;

  constructor(private readonly limits: BodyLimits) {
    this.budget = new ByteBudget(limits.bytesInFlight);
  }

  /**
   * Throws `BODY_TOO_LARGE`, or `OVERLOADED` if the body does not fit beside those in progress. The rest of a refused body
   * is read and dropped, so that its client sees the answer.
   */
  take({ headers }: FastifyRequest, { raw }: FastifyReply): void {
    const bytes = this.bytesOf(headers);
    if (bytes === 0) return;
    if (!this.budget.take(bytes, this.roomFor(bytes))) throw overloaded(bytes, this.limits.bytesInFlight);
    raw.once('close', () => this.budget.giveBack(bytes));
  }

  private bytesOf(headers: FastifyRequest['headers']): number {
    const { bodyBytes } = this.limits;
    if (headers['transfer-encoding'] !== undefined) return bodyBytes;
    const bytes = Number(headers['content-length'] ?? 0);
    if (bytes <= bodyBytes) return bytes;
    throw new ApiError('BODY_TOO_LARGE', `Expected a body of at most ${bodyBytes} bytes, but it has ${bytes}`);
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
