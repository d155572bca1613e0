import { functionsBeside } from '../database/sql.js';
import { CHANNEL } from '../notify/channel.js';

/** As the processes' own messages, so that one of an earlier version reads it, too. */
const FILLED = JSON.stringify({ from: 'outbox', position: '0', schedule: false, queues: [], freed: [], outbox: true });

/** What producers call. */
export const OUTBOX_FUNCTIONS = functionsBeside(import.meta.url, ['name-actor', 'enqueue'], { CHANNEL, FILLED });
