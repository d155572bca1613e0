/** A part of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

export const MOST_PER_PAGE = 500;

/**
 * The first `size` of the rows found. The query asks for one more, which shows whether the list continues. After a page
 * that its bytes cut off (`isCut`), it may have nothing more.
 */
export function pageOf<T>(found: readonly T[], size: number, cursorAfter: (last: T) => string, isCut = false): Page<T> {
  const items = found.slice(0, size);
  return { items, nextCursor: isCut || found.length > size ? cursorAfter(items.at(-1)!) : null };
}
