const [WIDTH, HEIGHT] = [120, 20];

/** The course of a number, with the latest value on the right. Empty if there is only one value. */
export function Sparkline({ values, about }: { values: readonly number[]; about: string }) {
  if (values.length < 2) return null;
  const most = Math.max(...values, 1);
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * WIDTH;
    return `${x.toFixed(1)},${(HEIGHT - 1 - (value / most) * (HEIGHT - 2)).toFixed(1)}`;
  });
  return (
    <svg
      class="sparkline"
      role="img"
      aria-label={about}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
    >
      <polyline points={points.join(' ')} />
    </svg>
  );
}
