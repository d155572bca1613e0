import { InvalidCursor } from '../../projections/kernel/cursor.js';
import { InvalidRange } from '../../projections/queue-history/bucket.js';
import { UnknownVersion } from '../../projections/queue-versions/queue-versions.queries.js';
import { InvalidInput } from '../input/invalid-input.js';

/** The default number of items on a page. */
export const PAGE = 100;

export function asInvalidInput(error: unknown): never {
  if (error instanceof InvalidCursor) throw new InvalidInput([{ pointer: '#/query/cursor', detail: error.message }]);
  if (error instanceof InvalidRange)
    throw new InvalidInput([{ pointer: `#/query/${error.parameter}`, detail: error.message }]);
  if (error instanceof UnknownVersion)
    throw new InvalidInput([{ pointer: `#/query/${error.parameter}`, detail: error.message }]);
  throw error;
}
