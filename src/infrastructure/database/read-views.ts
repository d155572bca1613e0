import { readSql } from './sql.js';

/** Makes the views of `waybill_read`, or makes them of the tables that have their names by now. */
export const READ_VIEWS = readSql(import.meta.url, 'read-views');
