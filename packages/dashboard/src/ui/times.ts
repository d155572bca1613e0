export { duration, relativeTime } from '@waybill/client/words';

/** With 24 hours in each language, as the axes of charts. */
const THIS_YEAR = {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const;
const { timeZoneName: _, ...WITHOUT_ZONE } = THIS_YEAR;
const SHORT = new Intl.DateTimeFormat(undefined, THIS_YEAR);
const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const BRIEF = new Intl.DateTimeFormat(undefined, WITHOUT_ZONE);
const WHOLE = new Intl.DateTimeFormat(undefined, { year: 'numeric', ...THIS_YEAR });

/** The time of a day in the reader's zone, where the day and the zone stand beside it or in its title. */
export const clockTime = (at: string): string => CLOCK.format(new Date(at));

/** A time in the reader's zone, which it names, with its day, and with the year if that is another one. */
export function exactTime(at: string | number, today = new Date()): string {
  const date = new Date(at);
  return (isOfYear(date, today) ? SHORT : WHOLE).format(date);
}

/** The same where many stand below each other: without the zone if it is of this year. */
export function briefTime(at: string | number, today = new Date()): string {
  const date = new Date(at);
  return (isOfYear(date, today) ? BRIEF : WHOLE).format(date);
}

const isOfYear = (date: Date, today: Date): boolean => date.getFullYear() === today.getFullYear();
