import { lazy, Suspense, useState } from 'react';
import css from './chart.module.css';

/** A line of a chart; null where nothing is known. */
export interface Series {
  readonly name: string;
  /** The name of a colour of `tokens.css`. */
  readonly colour: string;
  /** So that nobody needs the colour: every line of a chart has other dashes. */
  readonly dashes?: readonly number[];
  readonly values: readonly (number | null)[];
}

/** Something that happened at a time, as a line across the chart. */
export interface Mark {
  readonly at: number;
  readonly text: string;
}

export interface ChartProps {
  readonly title: string;
  /** The beginnings of the intervals, in seconds of the Unix epoch. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly marks?: readonly Mark[];
  /** A value as its axis and legend show it, with its unit. */
  readonly shown: (value: number) => string;
  /** Charts of one group show the same time under the pointer. */
  readonly group: string;
  /** What to do when somebody draws a range, in milliseconds. */
  readonly onRange?: (fromMs: number, toMs: number) => void;
}

const Plot = lazy(async () => ({ default: (await import('./plot.js')).Plot }));

/** Lines over time, with axes, units, and the values under the pointer in the legend. */
export function Chart(props: ChartProps) {
  const [at, setAt] = useState<number | null>(null);
  return (
    <figure className={css.chart} aria-label={aboutOf(props)}>
      <figcaption className={css.head}>
        <span className={css.title}>{props.title}</span>
        {props.series.map((series) => (
          <Legend key={series.name} series={series} at={at} shown={props.shown} />
        ))}
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
  const value = at === null ? latest(values) : (values[at] ?? null);
  return (
    <span className={css.series}>
      <svg viewBox="0 0 20 8" aria-hidden="true">
        <path d="M0,4H20" stroke={`var(${colour})`} strokeWidth="2" strokeDasharray={dashes?.join(' ')} />
      </svg>
      {name} {value === null ? '–' : shown(value)}
    </span>
  );
}

const latest = (values: readonly (number | null)[]): number | null =>
  values.reduceRight<number | null>((found, value) => found ?? value, null);

const aboutOf = ({ title, series, shown }: ChartProps): string => {
  const told = series.map(({ name, values }) => {
    const most = values.reduce<number>((found, value) => Math.max(found, value ?? 0), 0);
    return `${name} at most ${shown(most)}`;
  });
  return `${title}: ${told.join(', ')}`;
};
