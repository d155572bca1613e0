import type { DataSource } from 'typeorm';
import type { Recorded } from './event-log.port.js';
import { MOST_PER_PAGE, type Page } from './page.js';
import { decodePastCursor, encodePastCursor } from './past-cursor.js';
import type { Moment, Past } from './past.port.js';

/** A page of a list as of a moment. */
export interface PastPageRequest {
  readonly moment: Moment;
  readonly cursor: string | null;
  readonly limit: number;
}

/** What was there at a moment: its name, and its events up to there. */
export interface Then {
  readonly name: string;
  readonly history: readonly Recorded[];
}

/** How to read such a list. */
export interface PastList {
  /** The identity of the list with its filter, to which its cursors are bound. */
  readonly identity: object;
  /** Up to `take` names after one, in the order of the list: of all that may have been in it, also of what was not there yet or is deleted now. */
  readonly namesAfter: (after: string | null, take: number, upTo: string | null) => Promise<readonly string[]>;
  /** Up to which name a list that is searched looks at once for names after one; null: up to the end. Other lists look for all. */
  readonly endOfLook?: (after: string | null) => Promise<string | null>;
  readonly streamOf: (name: string) => string;
  /** Whether what has these events was in the list. */
  readonly isListed: (history: readonly Recorded[]) => boolean;
  /** The form of names. */
  readonly names?: RegExp;
}

/** Streams that are read at once, and the most that a page looks at. */
const SLICE = 200;
const MOST_LOOKED_AT = 5_000;

/**
 * One page of a list as of a moment. It may have fewer than `limit`, even none, and go on, because it looks at a bounded number of
 * streams. Throws `InvalidCursor`.
 */
export async function pageAsOf(past: Past, asked: PastPageRequest, list: PastList): Promise<Page<Then>> {
  const { moment, cursor, limit } = asked;
  const size = Math.min(limit, MOST_PER_PAGE);
  const items: Then[] = [];
  const cursorAfter = (name: string): string => encodePastCursor(list.identity, moment, name);
  let reached = cursor === null ? null : decodePastCursor(list.identity, cursor, list.names);
  for (let looked = 0; looked < MOST_LOOKED_AT; looked += SLICE) {
    const end = (await list.endOfLook?.(reached)) ?? null;
    const names = await list.namesAfter(reached, SLICE, end);
    for (const then of await listedAmong(names, past, moment, list)) {
      if (items.length === size) return { items, nextCursor: cursorAfter(items.at(-1)!.name) };
      items.push(then);
    }
    if (names.length === SLICE) reached = names.at(-1)!;
    else if (end === null) return { items, nextCursor: null };
    else reached = end;
  }
  return { items, nextCursor: cursorAfter(reached!) };
}

async function listedAmong(
  names: readonly string[],
  past: Past,
  { position }: Moment,
  list: PastList,
): Promise<Then[]> {
  const histories = await past.historiesAt(names.map(list.streamOf), position);
  return names.flatMap((name, at) => {
    const history = histories[at]!;
    return history.length > 0 && list.isListed(history) ? [{ name, history }] : [];
  });
}

/**
 * The names that may have been in a list: those that are in it now, and those of which something was recorded since. `rows`: the table
 * of today's rows.
 */
export function namesIn(
  db: DataSource,
  rows: string,
  isListedNow: string,
  { moment }: PastPageRequest,
): PastList['namesAfter'] {
  const text = `select name from ${rows} r where name > $1 and (${isListedNow} or position > $2) order by name limit $3`;
  return async (after, take) => {
    const found = await db.query<{ name: string }[]>(text, [after ?? '', String(moment.position), take]);
    return found.map(({ name }) => name);
  };
}
