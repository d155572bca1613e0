/** A line of a chart; null where there is no value. */
export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  readonly title: string;
  readonly series: readonly Series[];
  readonly from: string;
  readonly to: string;
  readonly shown: (value: number) => string;
}

const [WIDTH, HEIGHT] = [480, 120];
const DASHES = ['none', '7 3', '2 3', '9 3 2 3'];

/** Lines over time, told apart by their dashes, with the greatest value as the scale. The figures are in a table elsewhere. */
export function Chart({ title, series, from, to, shown }: ChartProps) {
  const most = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  return (
    <figure class="chart">
      <figcaption>
        {title} <span class="quiet">{most > 0 ? `up to ${shown(most)}` : 'nothing in this range'}</span>
      </figcaption>
      <svg role="img" aria-label={`${title}, ${aboutOf(series, shown)}`} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
        <line class="axis" x1={0} y1={HEIGHT - 1} x2={WIDTH} y2={HEIGHT - 1} />
        {series.map(({ name, values }, line) => (
          <path key={name} class={`line-${line}`} stroke-dasharray={DASHES[line]} d={pathOf(values, most)} />
        ))}
      </svg>
      <p class="chart-times quiet">
        <span>{from}</span>
        <span>{to}</span>
      </p>
      <ul class="legend">
        {series.map(({ name }, line) => (
          <li key={name}>
            <svg aria-hidden="true" width={28} height={8} viewBox="0 0 28 8">
              <path class={`line-${line}`} stroke-dasharray={DASHES[line]} d="M0,4H28" />
            </svg>{' '}
            {name}
          </li>
        ))}
      </ul>
    </figure>
  );
}

const aboutOf = (series: readonly Series[], shown: (value: number) => string): string =>
  series
    .map(({ name, values }) => {
      const known = values.filter((value) => value !== null);
      return `${name}: ${known.length === 0 ? 'none' : `at most ${shown(Math.max(...known))}`}`;
    })
    .join(', ');

/** Room at the sides, so that a value at the edge is seen. */
const SIDE = 4;

/** Begins anew after a gap. A value between two gaps is a dash. */
function pathOf(values: readonly (number | null)[], most: number): string {
  const step = (WIDTH - 2 * SIDE) / Math.max(1, values.length - 1);
  const isKnown = (at: number): boolean => (values[at] ?? null) !== null;
  return values
    .map((value, at) => {
      if (value === null) return '';
      const y = HEIGHT - 2 - (value / Math.max(1, most)) * (HEIGHT - 6);
      const point = (x: number): string => `${x.toFixed(1)},${y.toFixed(1)}`;
      const x = SIDE + at * step;
      if (isKnown(at - 1)) return `L${point(x)}`;
      return isKnown(at + 1) ? `M${point(x)}` : `M${point(x - SIDE)}h${2 * SIDE}`;
    })
    .join('');
}
