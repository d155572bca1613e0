import { Counter, Gauge, type Registry } from 'prom-client';

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** One metric, and what each of its sources says of it. */
export interface Family<Source> {
  readonly kind: 'counter' | 'gauge';
  readonly name: string;
  readonly help: string;
  readonly samples: (source: Source) => readonly Sample[];
}

const METRICS = { counter: Counter, gauge: Gauge };

/** Of a family without samples: with a label it is told by its name, and not as 0. */
const UNUSED = { label: '' };

/** Registers what the sources say now. */
export function registerFamilies<Source>(
  registry: Registry,
  families: readonly Family<Source>[],
  sources: readonly Source[],
): void {
  for (const { kind, name, help, samples } of families) {
    const all = sources.flatMap(samples);
    const labelNames = Object.keys(all[0]?.[0] ?? UNUSED);
    const metric = new METRICS[kind]({ name, help, labelNames, registers: [registry] });
    for (const [labels, value] of all) metric.inc(labels, value);
  }
}
