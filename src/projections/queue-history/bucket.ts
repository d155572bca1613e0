import { InvalidRange, MINUTES_KEPT_DAYS } from '../kernel/invalid-range.js';

export { InvalidRange, MINUTES_KEPT_DAYS } from '../kernel/invalid-range.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The lengths of buckets. All divide a day, and begin at multiples of their length since 1970 in UTC. */
const LENGTHS = { '1m': MINUTE, '5m': 5 * MINUTE, '15m': 15 * MINUTE, '1h': HOUR, '6h': 6 * HOUR, '1d': 24 * HOUR };

export type Bucket = keyof typeof LENGTHS;
export const BUCKETS = Object.keys(LENGTHS) as Bucket[];

/** The most buckets of an answer. */
export const MOST_BUCKETS = 1_500;
/** The most buckets of a length that the service chooses: enough for a chart as wide as a page. */
const ENOUGH_BUCKETS = 180;

/** A range of buckets. It begins with the bucket that contains its begin, and ends with the one that contains its end. */
export interface Range {
  readonly bucket: Bucket;
  readonly from: Date;
  readonly to: Date;
}

/** Whole buckets around the interval. Without a length, the finest that makes a chart. Throws `InvalidRange`. */
export function rangeOf(from: Date, to: Date, asked: Bucket | null, now: Date): Range {
  if (to <= from) {
    throw new InvalidRange(
      'to',
      `Expected an end after the begin ${from.toISOString()}, but it is ${to.toISOString()}: swap 'from' and 'to'`,
    );
  }
  const bucket = asked ?? BUCKETS.find((one) => isKept(one, from, now) && countOf(one, from, to) <= ENOUGH_BUCKETS);
  const range = whole(bucket ?? '1d', from, to);
  const count = countOf(range.bucket, range.from, range.to);
  if (count > MOST_BUCKETS) throw tooFine(range.bucket, `there are ${count} of them`, from, to, now);
  if (!isKept(range.bucket, from, now)) {
    const kept = `figures by the minute are kept for ${MINUTES_KEPT_DAYS} days`;
    throw tooFine(range.bucket, `the interval begins at ${from.toISOString()}, and ${kept}`, from, to, now);
  }
  return range;
}

function tooFine(bucket: Bucket, why: string, from: Date, to: Date, now: Date): InvalidRange {
  const fits = BUCKETS.find((one) => isKept(one, from, now) && countOf(one, from, to) < MOST_BUCKETS);
  return new InvalidRange(
    'bucket',
    `Expected up to ${MOST_BUCKETS} buckets of '${bucket}' for which there are figures, but ${why}: ` +
      (fits ? `ask for '${fits}', or for a shorter interval` : 'ask for a shorter interval'),
  );
}

/** Whether the bucket is made of whole hours. */
export const isHourly = (bucket: Bucket): boolean => LENGTHS[bucket] >= HOUR;

const isKept = (bucket: Bucket, from: Date, now: Date): boolean =>
  isHourly(bucket) || now.getTime() - from.getTime() <= MINUTES_KEPT_DAYS * 24 * HOUR;

const countOf = (bucket: Bucket, from: Date, to: Date): number =>
  Math.ceil((to.getTime() - from.getTime()) / LENGTHS[bucket]);

function whole(bucket: Bucket, from: Date, to: Date): Range {
  const length = LENGTHS[bucket];
  const at = (ms: number): Date => new Date(ms * length);
  return { bucket, from: at(Math.floor(from.getTime() / length)), to: at(Math.ceil(to.getTime() / length)) };
}

/** When the buckets of the range begin. */
export function beginnings({ bucket, from, to }: Range): readonly Date[] {
  const count = countOf(bucket, from, to);
  return Array.from({ length: count }, (_, n) => new Date(from.getTime() + n * LENGTHS[bucket]));
}

export const secondsOf = (bucket: Bucket): number => LENGTHS[bucket] / 1_000;
