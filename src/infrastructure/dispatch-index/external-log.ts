import type { PostgresConnection } from '../database/postgres-pool.js';

/** A log that is not in this database, for a rebuild of the index. */
export interface ExternalLog {
  /** Within a transaction; nothing is loaded yet. */
  open(connection: PostgresConnection): Promise<LoadedEvents>;
}

/** The log's events in a temporary table that stands in for this database's own until the transaction ends. */
export interface LoadedEvents {
  /** Brings it up to the log's end. */
  load(): Promise<void>;
  /** Ends the reservations of what was loaded: their follower will not meet it any more. Under the log lock. */
  endReservations(): Promise<void>;
  /** The index stands at the log's end now, and is this store's. */
  settle(): Promise<void>;
}
