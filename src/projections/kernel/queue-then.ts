import type { QueueEvent } from '../../domain/queue/queue.events.js';
import type { Recorded } from './event-log.port.js';
import { queueRow } from './rows/queue-row.js';
import { eventsIn } from './stream-as-of.js';

/** The status of the queue with these events, of which there is at least one. */
export const statusIn = (history: readonly Recorded[]): unknown => queueRow(eventsIn<QueueEvent>(history)).status;

/** Whether it is not deleted. */
export const isThere = (history: readonly Recorded[]): boolean => (statusIn(history) ?? 'deleted') !== 'deleted';
