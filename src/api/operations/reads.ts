import { Injectable } from '@nestjs/common';
import { ReadPositions } from '../../application/kernel/read-positions.port.js';
import type { Answer } from './answer.js';
import { ApiError } from '../problems/api-error.js';

export type ReadModel =
  | 'tasks'
  | 'queues'
  | 'batches'
  | 'triggers'
  | 'holds'
  | 'resources'
  | 'system'
  | 'queue-stats'
  | 'queue-history'
  | 'worker-roster';

const PATIENCE_MS = 2_000;

/** Lets a query reflect what its caller has just done, and reports how new an answer is. */
@Injectable()
export class Reads {
  constructor(private readonly positions: ReadPositions) {}

  /**
   * The answer of `query` once the read model has reached `minPosition`. Throws an `ApiError` if it does not in time.
   */
  async from<T>(model: ReadModel, minPosition: string | undefined, query: () => Promise<T>): Promise<Answer<T>> {
    if (minPosition !== undefined && !(await this.positions.waitFor(model, BigInt(minPosition), PATIENCE_MS))) {
      throw new ApiError(
        'PROJECTION_BEHIND',
        `Expected '${model}' to reflect position ${minPosition} within ${PATIENCE_MS} ms, but it is still behind`,
        { 'retry-after': '1' },
      );
    }
    // Read before the query, so that the query sees a state at least as new.
    const asOf = await this.positions.current(model);
    return { body: await query(), asOf };
  }
}
