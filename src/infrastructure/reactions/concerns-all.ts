import { EventStoreUnavailable, NotTakenNow } from '../../application/kernel/application-error.js';
import { isConnectionError } from '../../application/kernel/connection-errors.js';
import { isMissingObject } from '../database/refused-data.js';

/**
 * Whether the error says nothing about the event, but would meet all others as well: a store is away, another build
 * migrates, or the system drains. Whoever meets it waits, and puts nothing aside.
 */
export const concernsAll = (error: unknown): boolean =>
  error instanceof NotTakenNow ||
  error instanceof EventStoreUnavailable ||
  isConnectionError(error) ||
  isMissingObject(error);
