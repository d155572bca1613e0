import css from './sparkline.module.css';

interface SparklineProps {
  /** What happened, by interval, the oldest first. */
  readonly values: readonly number[];
  /** What failed in the same intervals: bars, so that it needs no colour to be told apart. */
  readonly alarms?: readonly number[];
  /** What it shows, for readers of screens. */
  readonly about: string;
}

const [WIDTH, HEIGHT] = [104, 22];

/** The course of a figure, without axes: its shape beside its name. Of nothing there is none. */
export function Sparkline({ values, alarms = [], about }: SparklineProps) {
  const most = Math.max(1, ...values, ...alarms);
  const x = (at: number): number => (at / Math.max(1, values.length - 1)) * WIDTH;
  const y = (value: number): number => HEIGHT - (value / most) * HEIGHT;
  // Bars of many intervals would lie on each other.
  const bar = Math.min(2, WIDTH / values.length);
  const points = values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join('L');
  if ([...values, ...alarms].every((value) => value === 0)) return null;
  return (
    <svg
      className={css.line}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={about}
      preserveAspectRatio="none"
    >
      <path className={css.area} d={`M0,${HEIGHT}L${points}L${WIDTH},${HEIGHT}Z`} />
      <path className={css.stroke} d={`M${points}`} />
      {alarms.map((value, at) =>
        value > 0 ? (
          <rect key={at} className={css.bar} x={x(at) - bar / 2} y={y(value)} width={bar} height={HEIGHT - y(value)} />
        ) : null,
      )}
    </svg>
  );
}
