import type { PostgresConnection } from '../database/postgres-pool.js';
import { readSql } from '../database/sql.js';

export const CREATE_LOGGED_EVENTS = readSql(import.meta.url, 'rebuild/create-logged-events');

/** The log that the index is rebuilt from. */
export interface RebuildLog {
  /** Opens the log within a transaction. Loads nothing yet. */
  open(connection: PostgresConnection): Promise<LoadedEvents>;
}

/**
 * The log's events in a temporary table, `logged_events`, with the columns of `events` and an index by stream and
 * revision.
 */
export interface LoadedEvents {
  /** Loads the events up to the current end of the log. */
  load(): Promise<void>;
  /**
   * Ends the reservations of the loaded events, because the follower will not read these any more. Call it under the
   * log lock.
   */
  endReservations(): Promise<void>;
  /** Records that the index is now at the end of the log and belongs to this store. */
  settle(): Promise<void>;
}
