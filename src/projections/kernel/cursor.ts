import { createHash } from 'node:crypto';

/** The cursor is not one of ours, or it belongs to another list. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
}

/** Opaque, and bound to its list (which, and by what filter), so that a page of one is never continued in another. `end`: its last row. */
export function encodeCursor(list: object, end: readonly (string | null)[]): string {
  return Buffer.from(JSON.stringify([hashOf(list), ...end])).toString('base64url');
}

/** The last row of the page before. `isEnd` lets through what Postgres can read: anybody may make a cursor up. */
export function decodeCursor<End extends readonly unknown[]>(
  list: object,
  cursor: string,
  isEnd: (end: readonly unknown[]) => end is End,
): End {
  const [hash, ...end] = contentsOf(cursor);
  if (!isEnd(end)) throw new InvalidCursor(`Expected to go on with a list, but '${cursor}' is not a cursor`);
  if (hash === hashOf(list)) return end;
  throw new InvalidCursor('Expected to go on with a list, but the cursor belongs to a list with another filter');
}

/** Of a list by name: the last one of the page before. */
export const decodeName = (list: object, cursor: string): string => decodeCursor(list, cursor, isName)[0];

/** Text in Postgres has no NUL. */
const isName = (end: readonly unknown[]): end is readonly [string] =>
  end.length === 1 && typeof end[0] === 'string' && !end[0].includes('\0');

function contentsOf(cursor: string): readonly unknown[] {
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
