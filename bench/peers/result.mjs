import { median, rounded } from '../measure/quantiles.mjs';

/** The medians by result and series: `{ bulk: { waybill, waybillCaughtUp, pgboss, … }, … }`. */
export const medians = (samples) =>
  mapValues(samples, (series) => mapValues(series, (values) => combined(present(values), median)));

/** The lowest and the highest sample as `[low, high]`, if there are several. */
export const ranges = (samples) =>
  mapValues(samples, (series) =>
    mapValues(series, (values) => [combined(present(values), lowest), combined(present(values), highest)]),
  );

/**
 * The median of the ratios that two series had in each round. Null if no round measured both. A round's samples are
 * taken within a minute, so that a slower machine slows both.
 */
export function pairedRatio(ours, theirs) {
  if (!ours || !theirs) return null;
  const ratios = ours.flatMap((value, round) => (theirs[round] === undefined ? [] : [value / theirs[round]]));
  return ratios.length > 0 ? median(ratios) : null;
}

const lowest = (values) => Math.min(...values);
const highest = (values) => Math.max(...values);

/** Leaves out the holes of rounds that failed. */
const present = (values) => values.filter((value) => value !== undefined);

/**
 * A sample is a number, or several by name (the quantiles of a latency, the parts of a cost), each of which is combined
 * separately.
 */
function combined(samples, combine) {
  const [first] = samples;
  if (first === null || typeof first === 'number') return first === null ? null : rounded(combine(samples));
  return mapValues(first, (_, key) =>
    combined(
      samples.map((sample) => sample[key]),
      combine,
    ),
  );
}

const mapValues = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
