import { createHash } from 'node:crypto';

/** The cursor is not one of ours, or it belongs to a list with another filter. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
}

/** The last row of a page: where the next one goes on. */
export interface PageEnd {
  readonly taskId: string;
  /** In lists that are ordered by it. */
  readonly failedAt: string | null;
}

type Contents = readonly [hash: string, taskId: string, failedAt: string | null];

/** Opaque, and bound to its filter, so that a page of one list is never continued in another. */
export function encodeCursor(filter: object, { taskId, failedAt }: PageEnd): string {
  return Buffer.from(JSON.stringify([hashOf(filter), taskId, failedAt])).toString('base64url');
}

export function decodeCursor(filter: object, cursor: string): PageEnd {
  const [hash, taskId, failedAt] = contentsOf(cursor);
  if (hash === hashOf(filter)) return { taskId, failedAt };
  throw new InvalidCursor('Expected to go on with a list, but the cursor belongs to a list with another filter');
}

function contentsOf(cursor: string): Contents {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (CONTENTS.test(text)) return JSON.parse(text) as Contents;
  throw new InvalidCursor(`Expected to go on with a list, but '${cursor}' is not a cursor`);
}

const CONTENTS = /^\["[\w-]{11}","[0-9a-f-]{36}",(null|"\d{4}-\d\d-\d\dT[\d:.]{12}Z")\]$/;

function hashOf(filter: object): string {
  const text = JSON.stringify(
    Object.entries(filter)
      .filter(([, value]) => value !== undefined)
      .sort(),
  );
  return createHash('sha256').update(text).digest().subarray(0, 8).toString('base64url');
}
