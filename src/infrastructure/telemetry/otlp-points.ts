import type { ToldMetric, ToldMetrics, ToldValue } from '../../application/kernel/metrics-export.port.js';

/** JSON of protobuf has texts for numbers that JSON lacks, and for those of 64 bits. */
type Double = number | 'NaN' | 'Infinity' | '-Infinity';

interface Point {
  readonly attributes: readonly Attribute[];
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
}
interface NumberPoint extends Point {
  readonly asDouble: Double;
}
interface HistogramPoint extends Point {
  readonly count: string;
  readonly sum: Double;
  /** One more than bounds: the last is of what is above all of them. */
  readonly bucketCounts: readonly string[];
  readonly explicitBounds: readonly number[];
}
export interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue: string };
}

export interface OtlpMetric {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  readonly sum?: Cumulative<NumberPoint> & { readonly isMonotonic: true };
  readonly gauge?: { readonly dataPoints: readonly NumberPoint[] };
  readonly histogram?: Cumulative<HistogramPoint>;
}
interface Cumulative<Of> {
  readonly dataPoints: readonly Of[];
  readonly aggregationTemporality: typeof CUMULATIVE;
}
const CUMULATIVE = 2;

type When = Pick<Point, 'startTimeUnixNano' | 'timeUnixNano'>;

/**
 * Metrics as OTLP has them: https://opentelemetry.io/docs/specs/otel/metrics/data-model/. They keep the names of `/metrics`, whose ends name
 * their units, so that a Prometheus behind a collector knows them by the same names.
 */
export function otlpMetrics({ since, metrics }: ToldMetrics, now: Date): readonly OtlpMetric[] {
  const when = { startTimeUnixNano: nanoseconds(since), timeUnixNano: nanoseconds(now) };
  return metrics.filter(({ values }) => values.length > 0).map((metric) => otlpMetric(metric, when));
}

function otlpMetric(metric: ToldMetric, when: When): OtlpMetric {
  const { name, help: description, type, values } = metric;
  const said = { name, description, unit: unitOf(name) };
  const points = () => values.map((value) => numberPoint(value, when));
  if (type === 'counter')
    return { ...said, sum: { dataPoints: points(), aggregationTemporality: CUMULATIVE, isMonotonic: true } };
  if (type === 'histogram')
    return { ...said, histogram: { dataPoints: histogramPoints(metric, when), aggregationTemporality: CUMULATIVE } };
  if (type === 'gauge') return { ...said, gauge: { dataPoints: points() } };
  throw new Error(`Expected a counter, a gauge or a histogram, but '${name}' is a ${type}`);
}

const numberPoint = ({ labels, value }: ToldValue, when: When): NumberPoint => ({
  attributes: attributesOf(labels),
  ...when,
  asDouble: double(value),
});

function histogramPoints({ name, values }: ToldMetric, when: When): readonly HistogramPoint[] {
  const series = new Map<string, ToldValue[]>();
  for (const value of values) {
    const { le: _bound, ...labels } = value.labels;
    const key = JSON.stringify(labels);
    series.set(key, [...(series.get(key) ?? []), value]);
  }
  return [...series.values()].map((all) => histogramPoint(name, all, when));
}

/** Buckets of Prometheus count all up to their bound, those of OTLP what is between two. */
function histogramPoint(name: string, values: readonly ToldValue[], when: When): HistogramPoint {
  const one = (end: string): number => values.find(({ metricName }) => metricName === `${name}${end}`)?.value ?? 0;
  const buckets = values.filter(({ metricName }) => metricName === `${name}_bucket`);
  const { le: _bound, ...labels } = values[0]!.labels;
  return {
    attributes: attributesOf(labels),
    ...when,
    count: String(one('_count')),
    sum: double(one('_sum')),
    bucketCounts: buckets.map(({ value }, at) => String(value - (buckets[at - 1]?.value ?? 0))),
    explicitBounds: buckets.map(({ labels: { le } }) => Number(le)).filter(Number.isFinite),
  };
}

export const attributesOf = (labels: Readonly<Record<string, unknown>>): readonly Attribute[] =>
  Object.entries(labels).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: { stringValue: String(value) } }],
  );

/** By https://ucum.org, as OpenTelemetry writes units. Those that name a thing have none. */
const UNITS: readonly (readonly [end: RegExp, unit: string])[] = [
  [/_seconds(_total)?$/, 's'],
  [/_bytes(_total)?$/, 'By'],
  [/_ratio$/, '1'],
];

const unitOf = (name: string): string => UNITS.find(([end]) => end.test(name))?.[1] ?? '';

const double = (value: number): Double => (Number.isFinite(value) ? value : (String(value) as Exclude<Double, number>));

const nanoseconds = (time: Date): string => `${time.getTime()}000000`;
