import { cursorContents, decodeCursor, encodeCursor, InvalidCursor } from './cursor.js';
import type { Moment } from './past.port.js';

type PastEnd = readonly [position: string, at: string, end: string];

/** A cursor of a list as of a moment has the moment, so that all pages are of one position. `end`: the last item that was looked at. */
export const encodePastCursor = (list: object, { position, at }: Moment, end: string): string =>
  encodeCursor(list, [String(position), at, end]);

/** The last item that was looked at. Throws `InvalidCursor`. `fits`: what Postgres can compare. */
export function decodePastCursor(list: object, cursor: string, fits: RegExp = NAME): string {
  const isEnd = (end: readonly unknown[]): end is PastEnd => isPastEnd(end) && fits.test(end[2]);
  return decodeCursor(list, cursor, isEnd)[2];
}

/** The moment of the list that a cursor continues. Throws `InvalidCursor`. */
export function momentOfCursor(cursor: string): Moment {
  const end = cursorContents(cursor).slice(1);
  if (!isPastEnd(end))
    throw new InvalidCursor(`Expected a cursor that a list as of a moment returned, but got '${cursor}'`);
  return { position: BigInt(end[0]), at: end[1], alternative: null, settled: true };
}

/** Postgres cannot store NUL in text. */
const NAME = /^[^\0]*$/;
const POSITION = /^[0-9]{1,18}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const isPastEnd = (end: readonly unknown[]): end is PastEnd =>
  end.length === 3 && fits(end[0], POSITION) && fits(end[1], TIME) && typeof end[2] === 'string';

const fits = (value: unknown, shape: RegExp): boolean => typeof value === 'string' && shape.test(value);
