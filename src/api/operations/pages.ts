import { InvalidCursor } from '../../projections/kernel/cursor.js';
import { PageQuery } from '../dto/query.dto.js';
import { InvalidInput } from '../input/invalid-input.js';
import { QueryValidator, wholeNumber } from '../input/query-validator.js';

/** The query of a list that has no filter. */
export const pages = new QueryValidator(PageQuery, { limit: wholeNumber });

/** Items of a page where nobody says how many. */
export const PAGE = 100;

export function asInvalidInput(error: unknown): never {
  if (error instanceof InvalidCursor) throw new InvalidInput([{ pointer: '#/query/cursor', detail: error.message }]);
  throw error;
}
