import { lazy, Suspense, useState } from 'react';
import type { ChartProps, Series } from './chart-props.js';
import css from './chart.module.css';
import { briefTime } from './times.js';

const Plot = lazy(async () => ({ default: (await import('./plot.js')).Plot }));

/** Lines over time, with axes, units, and in the legend the values under the pointer, or the largest. */
export function Chart(props: ChartProps) {
  const [pointed, setAt] = useState<number | null>(null);
  // The pointer may stay where an earlier, longer range had an interval.
  const at = pointed !== null && pointed < props.times.length ? pointed : null;
  return (
    <figure className={css.chart} aria-label={aboutOf(props)}>
      <figcaption className={css.head}>
        <span className={css.title}>{props.title}</span>
        <span className={css.unit}>{props.unit}</span>
        <span className={css.at} data-at>
          {at === null ? null : briefTime(props.times[at]! * 1_000)}
        </span>
        <span className={css.legend}>
          {props.series.map((series) => (
            <Legend key={series.name} series={series} at={at} shown={props.shown} />
          ))}
        </span>
      </figcaption>
      <div className={css.plot} aria-hidden="true">
        <Suspense>
          <Plot {...props} onPoint={setAt} />
        </Suspense>
      </div>
    </figure>
  );
}

interface LegendProps {
  readonly series: Series;
  readonly at: number | null;
  readonly shown: (value: number) => string;
}

function Legend({ series: { name, colour, dashes, values }, at, shown }: LegendProps) {
  const value = at === null ? largest(values) : (values[at] ?? null);
  return (
    <span className={css.series}>
      <svg viewBox="0 0 20 8" aria-hidden="true">
        <path d="M0,4H20" stroke={`var(${colour})`} strokeWidth="2" strokeDasharray={dashes?.join(' ')} />
      </svg>
      {name} {at === null ? 'max ' : null}
      {value === null ? '–' : shown(value)}
    </span>
  );
}

const largest = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((found, value) => (value === null || value <= (found ?? -1) ? found : value), null);

const aboutOf = ({ title, unit, series, shown }: ChartProps): string => {
  const told = series.map(({ name, values }) => `${name} at most ${shown(largest(values) ?? 0)}`);
  return `${title}, ${unit}: ${told.join(', ')}`;
};
