import { Injectable } from '@nestjs/common';
import { Refused } from '../../application/kernel/application-error.js';
import { ReadPositions } from '../../application/kernel/read-positions.port.js';
import type { ReadModel } from '../../projections/read-models.js';
import type { Answer } from './answer.js';
import { ApiError } from '../problems/api-error.js';
import { REJECTIONS } from '../problems/problem.js';

/** How long a query waits for what it must show. */
export const PATIENCE_MS = 2_000;

/** The position that an answer reflects is not known. */
const UNKNOWN = -1n;

/** Lets a query reflect what its caller has just done, and reports how new an answer is. */
@Injectable()
export class Reads {
  /** A position of the log that a model did not reach in time. Until it has, nobody else waits for the log's head. */
  private readonly missed = new Map<ReadModel, bigint>();

  constructor(private readonly positions: ReadPositions) {}

  /**
   * The answer of `query` once the read model has reached `minPosition`. What the query does not find, it looks for once
   * more when the model lacks nothing that was stored before. Throws an `ApiError` if the model does not get there in time.
   */
  async from<T>(model: ReadModel, minPosition: string | undefined, query: () => Promise<T>): Promise<Answer<T>> {
    // Read before the query, so that the query sees a state at least as new.
    const asOf = await (minPosition === undefined
      ? this.positions.current(model)
      : this.reached(model, BigInt(minPosition)));
    try {
      return { body: await query(), asOf };
    } catch (error) {
      const caughtUp = isNotFound(error) ? await this.caughtUp(model, asOf) : null;
      if (caughtUp === null) throw error;
      return { body: await query(), asOf: caughtUp };
    }
  }

  /** What `look` finds; if that is not enough, what it finds when the model lacks nothing that was stored before. */
  async found<T>(model: ReadModel, look: () => Promise<T>, isEnough: (found: T) => boolean): Promise<T> {
    const found = await look();
    if (isEnough(found) || (await this.caughtUp(model, UNKNOWN)) === null) return found;
    return look();
  }

  /** The position at which the model has caught up with the log as it was; null if it lacked nothing at `asOf`. */
  private async caughtUp(model: ReadModel, asOf: bigint): Promise<bigint | null> {
    const lacked = await this.positions.lackedAt(model, asOf);
    if (lacked === null) return null;
    const reached = (await this.isLate(model)) ? null : await this.positions.waitFor(model, lacked, PATIENCE_MS);
    if (reached !== null) return reached;
    if (!this.missed.has(model)) this.missed.set(model, lacked);
    throw behind(model, lacked);
  }

  private async isLate(model: ReadModel): Promise<boolean> {
    const missed = this.missed.get(model);
    if (missed === undefined) return false;
    if ((await this.positions.waitFor(model, missed, 0)) === null) return true;
    this.missed.delete(model);
    return false;
  }

  /** Like `reached`, of a position that the log has. */
  async has(model: ReadModel, position: bigint): Promise<void> {
    if (!this.positions.isWithEvents(model)) await this.reached(model, position);
  }

  /** Resolves when the model reflects the position. Throws an `ApiError` if it does not get there in time. */
  async reached(model: ReadModel, position: bigint): Promise<bigint> {
    const reached = await this.positions.waitFor(model, position, PATIENCE_MS);
    if (reached === null) throw behind(model, position);
    return reached;
  }
}

/** The refusal of a query that waited in vain. */
export const behind = (model: ReadModel, position: bigint): ApiError =>
  new ApiError(
    'PROJECTION_BEHIND',
    `Expected '${model}' to reflect position ${position} within ${PATIENCE_MS} ms, but it is still behind`,
    { 'retry-after': '1' },
  );

const isNotFound = (error: unknown): boolean =>
  error instanceof Refused && REJECTIONS[error.rejection.code].status === 404;
