import type { PostgresConnection } from '../../database/postgres-pool.js';
import { readSql } from '../../database/sql.js';
import { CREATE_LOGGED_EVENTS, type LoadedEvents, type RebuildLog } from '../rebuild-log.js';

const LOAD = readSql(import.meta.url, 'load-segments');

/** This database's own log: a rebuild reads it stream by stream, and segments have no index for that. */
class LoadedSegments implements LoadedEvents {
  constructor(private readonly connection: PostgresConnection) {}

  async load(): Promise<void> {
    await this.connection.query(LOAD);
    await this.connection.query('analyze pg_temp.logged_events');
  }

  /** There are none where the log is in this database. */
  async endReservations(): Promise<void> {}

  async settle(): Promise<void> {}
}

export const LOG_HERE: RebuildLog = {
  async open(connection) {
    await connection.query(CREATE_LOGGED_EVENTS);
    return new LoadedSegments(connection);
  },
};
