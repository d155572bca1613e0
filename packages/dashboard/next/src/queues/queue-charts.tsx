import type { QueueHistory } from '@waybill/client';
import { Chart } from '../ui/chart.js';
import type { Mark, Series } from '../ui/chart-props.js';
import { short } from '../ui/numbers.js';
import { Columns } from '../ui/stack.js';
import { duration } from '../ui/times.js';
import { failedIn } from './figures.js';

type Bucket = QueueHistory['buckets'][number];
type Line = Omit<Series, 'values'> & { readonly of: (bucket: Bucket) => number | null };

interface Figure {
  readonly title: string;
  readonly shown: (value: number) => string;
  readonly lines: readonly Line[];
}

const FIGURES: readonly Figure[] = [
  {
    title: 'Throughput',
    shown: short,
    lines: [
      { name: 'enqueued', colour: '--state-waiting', dashes: [6, 3], of: ({ enqueued }) => enqueued },
      { name: 'succeeded', colour: '--state-running', of: ({ succeeded }) => succeeded },
      { name: 'failed', colour: '--alarm', dashes: [2, 2], of: failedIn },
    ],
  },
  {
    title: 'Backlog',
    shown: short,
    lines: [{ name: 'waiting', colour: '--state-waiting', of: ({ backlog }) => backlog }],
  },
  {
    title: 'Wait until claimed',
    shown: duration,
    lines: [
      { name: 'median', colour: '--state-running', of: ({ waitingMs }) => waitingMs.median },
      { name: 'p95', colour: '--state-stopped', dashes: [6, 3], of: ({ waitingMs }) => waitingMs.p95 },
    ],
  },
  {
    title: 'Run',
    shown: duration,
    lines: [
      { name: 'median', colour: '--state-running', of: ({ processingMs }) => processingMs.median },
      { name: 'p95', colour: '--state-stopped', dashes: [6, 3], of: ({ processingMs }) => processingMs.p95 },
    ],
  },
];

interface QueueChartsProps {
  readonly history: QueueHistory;
  readonly marks: readonly Mark[];
  readonly onRange: (fromMs: number, toMs: number) => void;
}

/** What the queue did, as lines with the same time under the pointer. */
export function QueueCharts({ history: { buckets }, marks, onRange }: QueueChartsProps) {
  const times = buckets.map(({ at }) => Date.parse(at) / 1_000);
  return (
    <Columns>
      {FIGURES.map(({ title, shown, lines }) => (
        <Chart
          key={title}
          title={title}
          shown={shown}
          times={times}
          marks={marks}
          group="queue"
          onRange={onRange}
          series={lines.map(({ of, ...line }) => ({ ...line, values: buckets.map(of) }))}
        />
      ))}
    </Columns>
  );
}
