/** What a payload, a result or a label set is made of. Numbers outside the exact integer range are refused at the edge. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/** An instant as RFC 3339 text in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export type IsoTime = string;

/** The last instant on which `Date`, Postgres and `IsoTime` agree. Whatever is computed stays before it. */
export const LATEST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Structural equality; a property that is `undefined` equals one that is absent, because storing drops both. */
export function sameContent(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const a = left as Record<string, unknown>;
  const b = right as Record<string, unknown>;
  const names = Object.keys(a);
  if (!names.every((name) => sameContent(a[name], b[name]))) return false;
  return Object.keys(b).every((name) => b[name] === undefined || Object.hasOwn(a, name));
}
