import { DeliverReports } from './deliver-reports.js';
import { ClearFailuresOnSuccess } from './clear-failures-on-success.js';
import { ReopenReturnedFailures } from './reopen-returned-failures.js';
import { EVENT_TRIGGERS } from '../triggers/trigger-states.port.js';

/** Every reaction that follows the log. */
export const REACTIONS = [ClearFailuresOnSuccess, DeliverReports, ReopenReturnedFailures] as const;

/**
 * The names of their checkpoints. A rebuild of the index from a log sets these to its end, so that no event is reacted
 * to twice.
 */
export const REACTION_NAMES: readonly string[] = [...REACTIONS.map(({ NAME }) => NAME), EVENT_TRIGGERS];
