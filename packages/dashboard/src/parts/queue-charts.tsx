import type { QueueHistory } from '@waybill/client';
import { age, count } from '@waybill/client/words';
import { useLive } from '../live.js';
import { type RangeName, RANGES } from '../ranges.js';
import { hashOf } from '../route.js';
import { service } from '../service.js';
import { Chart, type Series } from './chart.js';
import { Shown } from './shown.js';
import { Time } from './state.js';
import { Table } from './table.js';

export function QueueCharts({ name, range, isLive }: { name: string; range: RangeName; isLive: boolean }) {
  const load = (signal: AbortSignal): Promise<QueueHistory> => service().queue(name).figures({ from: range, signal });
  const live = useLive(`history ${name} ${range}`, load, isLive);
  return (
    <section>
      <h2>The last {RANGES[range]}</h2>
      <Ranges name={name} range={range} />
      <Shown live={live}>{(history) => <Charts history={history} />}</Shown>
    </section>
  );
}

function Ranges({ name, range }: { name: string; range: RangeName }) {
  return (
    <nav class="ranges" aria-label="Range">
      {(Object.keys(RANGES) as RangeName[]).map((one) => (
        <a
          key={one}
          href={hashOf({ page: 'queue', queue: name, range: one })}
          aria-current={one === range ? 'page' : undefined}
        >
          {RANGES[one]}
        </a>
      ))}
    </nav>
  );
}

type Bucket = QueueHistory['buckets'][number];
type Shows = { readonly title: string; readonly series: Record<string, (of: Bucket) => number | null> } & {
  readonly shown: (value: number) => string;
};

const failed = (bucket: Bucket): number => Object.values(bucket.failed).reduce((sum, tasks) => sum + tasks, 0);
const CLASSES = ['business', 'application', 'transient', 'bug', 'lost', 'timeout', 'expired'] as const;
const ofClass =
  (name: (typeof CLASSES)[number]) =>
  (bucket: Bucket): number =>
    bucket.failed[name] ?? 0;

const CHARTS: readonly Shows[] = [
  {
    title: 'Throughput',
    series: { enqueued: (of) => of.enqueued, succeeded: (of) => of.succeeded, failed },
    shown: count,
  },
  {
    title: 'Failures by class',
    series: Object.fromEntries(CLASSES.map((name) => [name, ofClass(name)])),
    shown: count,
  },
  {
    title: 'Waiting time',
    series: { median: (of) => of.waitingMs.median, '95th percentile': (of) => of.waitingMs.p95 },
    shown: age,
  },
  {
    title: 'Processing time',
    series: { median: (of) => of.processingMs.median, '95th percentile': (of) => of.processingMs.p95 },
    shown: age,
  },
  { title: 'Backlog', series: { pending: (of) => of.backlog }, shown: count },
];

/** What happened, as charts, and as a table of the buckets in which something did. */
export function Charts({ history }: { history: QueueHistory }) {
  const { buckets, bucket } = history;
  const [from, to] = [local(history.from), local(history.to)];
  const seriesOf = ({ series }: Shows): Series[] =>
    Object.entries(series).map(([name, of]) => ({ name, values: buckets.map(of) }));
  return (
    <>
      <div class="charts">
        {CHARTS.map((chart) => (
          <Chart key={chart.title} {...chart} series={seriesOf(chart)} from={from} to={to} />
        ))}
      </div>
      <details>
        <summary>The figures as a table, by {bucket}</summary>
        <FigureTable buckets={buckets.filter((one) => one.enqueued + one.claimed + one.succeeded + failed(one) > 0)} />
      </details>
    </>
  );
}

const local = (at: string): string => new Date(at).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' });

function FigureTable({ buckets }: { buckets: readonly Bucket[] }) {
  if (buckets.length === 0) return <p class="quiet">Nothing happened in this range.</p>;
  const columns = CHARTS.flatMap(({ title, series, shown }) =>
    Object.entries(series).map(([name, of]) => ({ title: `${title}: ${name}`, of, shown })),
  );
  return (
    <Table about="Figures over time" titles={['from', ...columns.map(({ title }) => ({ numbers: title }))]}>
      {buckets.map((bucket) => (
        <tr key={bucket.at}>
          <th scope="row">
            <Time at={bucket.at} />
          </th>
          {columns.map(({ title, of, shown }) => (
            <td key={title} class="number">
              {of(bucket) === null ? '–' : shown(of(bucket)!)}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}
