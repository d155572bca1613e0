import type { PostgresConnection } from '../database/postgres-pool.js';
import { readSql } from '../database/sql.js';

export const CREATE_LOGGED_EVENTS = readSql(import.meta.url, 'rebuild/create-logged-events');

/** The log that the index is rebuilt from. */
export interface RebuildLog {
  /** Within a transaction; nothing is loaded yet. */
  open(connection: PostgresConnection): Promise<LoadedEvents>;
}

/** The log's events in a temporary table, `logged_events`, which has the columns of `events` and an index by stream and revision. */
export interface LoadedEvents {
  /** Brings it up to the log's end. */
  load(): Promise<void>;
  /** Ends the reservations of what was loaded: their follower will not meet it any more. Under the log lock. */
  endReservations(): Promise<void>;
  /** The index stands at the log's end now, and is this store's. */
  settle(): Promise<void>;
}
