import type { PostgresConnection } from '../../database/postgres-pool.js';
import { readSql } from '../../database/sql.js';
import { CREATE_LOGGED_EVENTS, type LoadedEvents, type RebuildLog } from '../rebuild-log.js';

const LOAD = readSql(import.meta.url, 'load-segments');

/** The log of this database. A rebuild reads it stream by stream, for which segments have no index. */
class LoadedSegments implements LoadedEvents {
  constructor(private readonly connection: PostgresConnection) {}

  async load(): Promise<void> {
    await this.connection.query(LOAD);
    await this.connection.query('analyze pg_temp.logged_events');
  }

  /** There are no reservations if the log is in this database. */
  async endReservations(): Promise<void> {}

  async settle(): Promise<void> {}
}

export const LOG_HERE: RebuildLog = {
  async open(connection) {
    await connection.query(CREATE_LOGGED_EVENTS);
    return new LoadedSegments(connection);
  },
};
