import { median, rounded } from '../measure/quantiles.mjs';

/** The medians by result and series: `{ bulk: { waybill, waybillCaughtUp, pgboss, … }, … }`. */
export const medians = (samples) =>
  mapValues(samples, (series) => mapValues(series, (values) => combined(values, median)));

/** The lowest and the highest sample, as `[low, high]` where there are several. */
export const ranges = (samples) =>
  mapValues(samples, (series) => mapValues(series, (values) => [combined(values, lowest), combined(values, highest)]));

const lowest = (values) => Math.min(...values);
const highest = (values) => Math.max(...values);

/** A sample is a number, or several by name (the quantiles of a latency, the sizes of a backlog): each is combined by itself. */
function combined(samples, combine) {
  if (typeof samples[0] === 'number') return rounded(combine(samples));
  return mapValues(samples[0], (_, key) => rounded(combine(samples.map((sample) => sample[key]))));
}

const mapValues = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
