import { Chart } from '../ui/chart.js';
import type { Mark, Series } from '../ui/chart-props.js';
import { Columns } from '../ui/stack.js';
import { FigureMarks } from './figure-marks.js';
import { FigureTable } from './figure-table.js';
import { type Figures, type Bucket, type Figure, FIGURES } from './figures.js';

interface FigureChartsProps {
  readonly history: Figures;
  readonly marks: readonly Mark[];
  readonly onRange: (fromMs: number, toMs: number) => void;
}

/** What the queue did, as lines with the same time under the pointer. */
export function FigureCharts({ history: { buckets, bucket }, marks, onRange }: FigureChartsProps) {
  const times = buckets.map(({ at }) => Date.parse(at) / 1_000);
  return (
    <>
      <Columns>
        {FIGURES.map((figure) => ({ ...figure, series: seriesOf(figure, buckets) }))
          .filter(({ series }) => series.length > 0)
          .map(({ title, unit, shown, steps, series }) => (
            <Chart
              key={title}
              title={title}
              unit={unit(bucket)}
              shown={shown}
              steps={steps}
              times={times}
              marks={marks}
              group="queue"
              onRange={onRange}
              series={series}
            />
          ))}
      </Columns>
      <FigureMarks marks={marks} />
      <FigureTable buckets={buckets} />
    </>
  );
}

const seriesOf = ({ lines, isSparse = false }: Figure, buckets: readonly Bucket[]): Series[] =>
  lines
    .map(({ of, ...line }) => ({ ...line, values: buckets.map(of) }))
    .filter(({ values }) => !isSparse || values.some((value) => value !== 0));
