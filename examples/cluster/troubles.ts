import type { Troubles } from './server.js';

/** Of the month that the example plays. */
export const TROUBLES: Troubles = { hangs: 4, timesOut: 3, declined: 9 };
