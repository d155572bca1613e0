import { decodeName, encodeCursor } from './cursor.js';
import type { CutRows } from './cut-rows.js';
import { MOST_PER_PAGE, type Page, pageOf } from './page.js';

/** The parameters of a list that is ordered by name. */
interface PageRequest {
  readonly cursor: string | null;
  readonly limit: number;
}

/** How to read such a list. */
interface NamedList<T> {
  /** The identity of the list and its filter, to which its cursors are bound. */
  readonly list: string;
  readonly filter?: object;
  /** Up to `take` rows after the name, ordered by name. */
  readonly rowsAfter: (name: string, take: number) => Promise<CutRows<T>>;
  readonly nameOf: (row: T) => string;
}

/** Reads one page of a list that is ordered by name. Throws `InvalidCursor`. */
export async function pageByName<T>(
  { cursor, limit }: PageRequest,
  { list, filter, rowsAfter, nameOf }: NamedList<T>,
): Promise<Page<T>> {
  const size = Math.min(limit, MOST_PER_PAGE);
  const identity = { list, ...filter };
  const { rows, isCut } = await rowsAfter(cursor === null ? '' : decodeName(identity, cursor), size + 1);
  return pageOf(rows, size, (last) => encodeCursor(identity, [nameOf(last)]), isCut);
}
