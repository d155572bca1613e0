import { Counter, Gauge, type Registry } from 'prom-client';

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** One metric, and how to read it from each source. */
export interface Family<Source> {
  readonly kind: 'counter' | 'gauge';
  readonly name: string;
  readonly help: string;
  readonly samples: (source: Source) => readonly Sample[];
}

const METRICS = { counter: Counter, gauge: Gauge };

/** For a family without samples. With this label the metric is listed by name, and not as 0. */
const UNUSED = { label: '' };

/** Registers the current values of the sources. */
export function registerFamilies<Source>(
  registry: Registry,
  families: readonly Family<Source>[],
  sources: readonly Source[],
): void {
  for (const { kind, name, help, samples } of families) {
    const all = sources.flatMap(samples);
    const labelNames = Object.keys(Object.assign({}, ...(all.length > 0 ? all.map(([labels]) => labels) : [UNUSED])));
    const metric = new METRICS[kind]({ name, help, labelNames, registers: [registry] });
    for (const [labels, value] of all) metric.inc(labels, value);
  }
}
