import { shape } from './shape.js';

export { DURATION, sinceOf } from '../../domain/kernel/since.js';

/** A position of the log. */
export const POSITION = shape(/^[0-9]{1,18}$/, 'a position: a whole number of up to 18 digits');
