import { since as moment } from './arguments.js';

/** The argument of an option that takes a time, how long ago, or a day. The beginning of a day is that of the terminal's time zone. */
export function day(given: string): string {
  if (given !== 'today' && given !== 'yesterday') return moment(given);
  const begin = new Date();
  begin.setHours(0, 0, 0, 0);
  if (given === 'yesterday') begin.setDate(begin.getDate() - 1);
  return begin.toISOString();
}

/** As `day`, or a position of the log. */
export const dayOrPosition = (given: string): string => (/^[0-9]{1,18}$/.test(given) ? given : day(given));
