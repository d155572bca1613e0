import type { Metric, Registry } from 'prom-client';

/** What was counted up to each bound, from the smallest on. */
export interface Distribution {
  /** In the metric's unit, with how many were between the bound before and it. */
  readonly buckets: readonly (readonly [bound: number, count: number])[];
  readonly count: number;
  readonly sum: number;
}

/** A histogram that is kept elsewhere, and how to read it from each source. */
export interface HistogramFamily<Source> {
  readonly name: string;
  readonly help: string;
  readonly of: (source: Source) => readonly [labels: Readonly<Record<string, string>>, distribution: Distribution];
}

interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Registers the current values of the sources. The histograms of prom-client count by themselves and cannot be given counts. */
export function registerHistograms<Source>(
  registry: Registry,
  families: readonly HistogramFamily<Source>[],
  sources: readonly Source[],
): void {
  for (const { name, help, of } of families) {
    const values = sources.flatMap((source) => valuesOf(name, ...of(source)));
    const histogram = { name, help, type: 'histogram', aggregator: 'sum', values };
    registry.registerMetric({ name, get: () => Promise.resolve(histogram) } as unknown as Metric);
  }
}

/** In the order of the text format: buckets that count everything up to their bound, then sum and count. */
function valuesOf(
  name: string,
  labels: Readonly<Record<string, string>>,
  { buckets, count, sum }: Distribution,
): readonly Value[] {
  let upTo = 0;
  const counted = buckets.map(([bound, within]) => bucketOf(String(bound), (upTo += within)));
  return [
    ...counted,
    bucketOf('+Inf', count),
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];

  function bucketOf(le: string, value: number): Value {
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value };
  }
}
