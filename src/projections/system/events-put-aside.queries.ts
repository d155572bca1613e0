import type { EntityManager } from 'typeorm';

/** An event that a reaction, a trigger or the dispatch index could not deal with, so that it is tried again. */
export interface EventPutAside {
  readonly reaction: string;
  /** Null unless the event is that of a trigger. */
  readonly trigger: string | null;
  readonly position: string;
  readonly reason: string;
  /** How often it was tried. */
  readonly tries: number;
  readonly since: string;
  /** When it is tried again; null if that is when a service starts. */
  readonly until: string | null;
}

const FIRST = 20;

/** Those that wait for an earlier one of their trigger are left out. */
export async function eventsPutAsideIn(db: EntityManager): Promise<readonly EventPutAside[]> {
  const rows = await db.query<(Omit<EventPutAside, 'since' | 'until'> & { since: Date; until: Date | null })[]>(
    `select follower as reaction, nullif(line, position::text) as trigger, position, coalesce(error, '') as reason, tries, since,
       retry_at as until from events_put_aside where coalesce(error, retry_at::text) is not null order by since, follower, position limit ${FIRST}`,
  );
  return rows.map((row) => ({ ...row, since: row.since.toISOString(), until: row.until?.toISOString() ?? null }));
}
