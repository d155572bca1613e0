import { decodeName, encodeCursor } from './cursor.js';
import { MOST_PER_PAGE, type Page, pageOf } from './page.js';

/** What a list by name is asked for. */
interface Asked {
  readonly cursor: string | null;
  readonly limit: number;
}

/** How a list by name is read. */
interface ByName<T> {
  /** Binds its cursors to it. */
  readonly list: string;
  /** Up to `take` rows behind the name, in the order of their names. */
  readonly rowsAfter: (name: string, take: number) => Promise<readonly T[]>;
  readonly nameOf: (row: T) => string;
}

/** One page of a list by name. Throws `InvalidCursor`. */
export async function pageByName<T>(
  { cursor, limit }: Asked,
  { list, rowsAfter, nameOf }: ByName<T>,
): Promise<Page<T>> {
  const size = Math.min(limit, MOST_PER_PAGE);
  const found = await rowsAfter(cursor === null ? '' : decodeName({ list }, cursor), size + 1);
  return pageOf(found, size, (last) => encodeCursor({ list }, [nameOf(last)]));
}
