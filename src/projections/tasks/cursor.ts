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
  const contents = CONTENTS.test(text) ? (JSON.parse(text) as Contents) : null;
  if (contents && (contents[2] === null || isTime(contents[2]))) return contents;
  throw new InvalidCursor(`Expected to go on with a list, but '${cursor}' is not a cursor`);
}

/** What Postgres would not read as an id or a time is no cursor: anybody may make one up. */
const CONTENTS = /^\["[\w-]{11}","[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",(null|"\d{4}-\d\d-\d\dT[\d:.]{12}Z")\]$/;

/** The year 0 is one to JavaScript only. */
function isTime(text: string): boolean {
  const ms = Date.parse(text);
  return text >= '0001' && !Number.isNaN(ms) && new Date(ms).toISOString() === text;
}

function hashOf(filter: object): string {
  const text = JSON.stringify(
    Object.entries(filter)
      .filter(([, value]) => value !== undefined)
      .sort(),
  );
  return createHash('sha256').update(text).digest().subarray(0, 8).toString('base64url');
}
