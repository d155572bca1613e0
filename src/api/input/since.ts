export { DURATION, sinceOf } from '../../domain/kernel/since.js';

/** A position of the log. */
export const POSITION = /^[0-9]{1,18}$/;
