import { InvalidCursor } from '../../projections/kernel/cursor.js';
import { PageQuery } from '../dto/query.dto.js';
import { InvalidInput } from '../input/invalid-input.js';
import { QueryShape, wholeNumber } from '../input/query-shape.js';

/** The query of a list that has no filter. */
export const pages = new QueryShape(PageQuery, { limit: wholeNumber });

/** Items of a page where nobody says how many. */
export const PAGE = 100;

export function asInvalidInput(error: unknown): never {
  if (error instanceof InvalidCursor) throw new InvalidInput([{ pointer: '#/query/cursor', detail: error.message }]);
  throw error;
}
