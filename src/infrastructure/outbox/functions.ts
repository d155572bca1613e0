import { functionsBeside } from '../database/sql.js';
import { CHANNEL } from '../notify/channel.js';

/** In the form of the processes' own messages, so that a process of an earlier version can read it. */
const FILLED = JSON.stringify({ from: 'outbox', position: '0', schedule: false, queues: [], freed: [], outbox: true });

/** The functions that producers call. */
export const OUTBOX_FUNCTIONS = functionsBeside(import.meta.url, { CHANNEL, FILLED });
