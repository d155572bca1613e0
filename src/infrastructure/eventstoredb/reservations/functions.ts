import { INDEX_FOLLOWER } from '../../../projections/read-models.js';
import { functionsBeside } from '../../database/sql.js';

/** Of the history of a task that has ended, kept for whoever takes that back. */
const MOST_BYTES = 16_384;

/**
 * Reservations: what an append takes in Postgres before its event is stored in EventStoreDB. They are made under the
 * log lock, as is the application of events, so that each sees a state that nobody changes meanwhile.
 */
export const RESERVATION_FUNCTIONS = functionsBeside(import.meta.url, {
  MOST_BYTES,
  INDEX_FOLLOWER: `'${INDEX_FOLLOWER}'`,
});
