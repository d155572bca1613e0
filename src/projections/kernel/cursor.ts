import { createHash } from 'node:crypto';

/** The cursor was not made by this service, or belongs to another list. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
}

/**
 * Makes an opaque cursor. It is bound to its list and filters, so a page of one list cannot be continued in another.
 * `end`: the last row of the page.
 */
export function encodeCursor(list: object, end: readonly (string | null)[]): string {
  return Buffer.from(JSON.stringify([hashOf(list), ...end])).toString('base64url');
}

/**
 * The last row of the previous page. Anybody may make up a cursor, so `isEnd` must reject values that Postgres cannot
 * read.
 */
export function decodeCursor<End extends readonly unknown[]>(
  list: object,
  cursor: string,
  isEnd: (end: readonly unknown[]) => end is End,
): End {
  const [hash, ...end] = cursorContents(cursor);
  if (!isEnd(end)) throw new InvalidCursor(`Expected a cursor that a list returned, but got '${cursor}'`);
  if (hash === hashOf(list)) return end;
  throw new InvalidCursor('Expected a cursor of this list, but it belongs to a list with another filter');
}

/** The last name of the previous page, for a list ordered by name. */
export const decodeName = (list: object, cursor: string): string => decodeCursor(list, cursor, isName)[0];

/** Postgres cannot store NUL in text. */
const isName = (end: readonly unknown[]): end is readonly [string] =>
  end.length === 1 && typeof end[0] === 'string' && !end[0].includes('\0');

/** What is in a cursor, of whatever list; empty if it is none. */
export function cursorContents(cursor: string): readonly unknown[] {
  try {
    const contents: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(contents) ? contents : [];
  } catch {
    return [];
  }
}

function hashOf(list: object): string {
  const text = JSON.stringify(
    Object.entries(list)
      .filter(([, value]) => value !== undefined)
      .sort(),
  );
  return createHash('sha256').update(text).digest().subarray(0, 8).toString('base64url');
}
