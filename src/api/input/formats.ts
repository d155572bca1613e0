import { LATEST_TIME } from '../../domain/kernel/json.js';

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;

/**
 * An RFC 3339 instant between 1970 and 9999, the range on which `Date`, Postgres and the service's time format agree.
 */
export function isInstant(value: unknown): value is string {
  const parts = typeof value === 'string' ? INSTANT.exec(value) : null;
  if (!parts) return false;
  const [text, year, month, day] = parts;
  // `Date.parse` reads 30 February as 1 March.
  if (Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()) return false;
  const instant = Date.parse(text);
  return instant >= 0 && instant <= LATEST_TIME;
}
