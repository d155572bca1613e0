import type { FiguresOptions, QueueFigures, QueueHistory } from '@waybill/client';
import { age, byClass, count } from '@waybill/client/words';
import type { Command } from 'commander';
import { oneOf } from '../arguments.js';
import { type AsOfOption, asOfOption } from '../as-of.js';
import { ownOptionsOf } from '../common-options.js';
import type { Open } from '../session.js';
import { type Column, fields } from '../terminal/table.js';

export function addStats(queue: Command, open: Open): void {
  queue
    .command('stats <queue>')
    .description('show what happened in a queue over time')
    .option('--from <time>', 'since when: a time, or how long ago, such as 24h', '24h')
    .option('--to <time>', 'until when', 'now')
    .option(
      '--bucket <length>',
      'the length of a row; by default the finest that suits the interval',
      oneOf(...BUCKETS),
    )
    .addOption(asOfOption())
    .action(async (name: string, _: object, command: Command) => {
      const { waybill, printer } = open(command);
      const { asOf, ...options } = ownOptionsOf<FiguresOptions & AsOfOption>(command);
      const history = await (asOf === undefined
        ? waybill.queue(name).figures(options)
        : waybill.asOf(asOf).queue(name).figures(options));
      await printer.show(history, (paint) => [
        ...fields(summary(history), paint),
        ...(busy(history).length > 0 ? ['', printer.table(busy(history), COLUMNS)] : []),
      ]);
    });
}

const BUCKETS: readonly QueueHistory['bucket'][] = ['1m', '5m', '15m', '1h', '6h', '1d'];

type Row = QueueHistory['buckets'][number];

/** Rows in which nothing happened are left out. */
const busy = ({ buckets }: QueueHistory): Row[] =>
  buckets.filter((row) => row.enqueued + row.claimed + row.retried + row.lost + ended(row) > 0);

const failedIn = ({ failed }: QueueFigures): number => Object.values(failed).reduce((sum, tasks) => sum + tasks, 0);
const ended = (figures: QueueFigures): number => figures.succeeded + failedIn(figures);

const spread = ({ median, p95 }: QueueFigures['waitingMs']): string | null =>
  median === null ? null : `${age(median)} median, ${age(p95)} for the 95th percentile`;

function summary({ from, to, bucket, total }: QueueHistory): (readonly [string, unknown])[] {
  return [
    ['from', from],
    ['to', to],
    ['bucket', bucket],
    ['enqueued', count(total.enqueued)],
    ['claimed', count(total.claimed)],
    ['succeeded', count(total.succeeded)],
    ['failed', `${count(failedIn(total))}${failedIn(total) > 0 ? `: ${byClass(happened(total.failed))}` : ''}`],
    ['retried', total.retried > 0 ? count(total.retried) : null],
    ['leases lost', total.lost > 0 ? count(total.lost) : null],
    ['waited', spread(total.waitingMs)],
    ['processed', spread(total.processingMs)],
    ['backlog at the end', count(total.backlog)],
  ];
}

const happened = (failed: QueueFigures['failed']): QueueFigures['failed'] =>
  Object.fromEntries(Object.entries(failed).filter(([, tasks]) => tasks > 0));

const number = (title: string, of: (row: Row) => number): Column<Row> => ({
  title,
  of: (row) => count(of(row)),
  right: true,
});

const time = (title: string, of: (row: Row) => number | null): Column<Row> => ({
  title,
  of: (row) => (of(row) === null ? null : age(of(row))),
  right: true,
});

const COLUMNS: readonly Column<Row>[] = [
  { title: 'from', of: ({ at }) => at },
  number('enqueued', ({ enqueued }) => enqueued),
  number('claimed', ({ claimed }) => claimed),
  number('succeeded', ({ succeeded }) => succeeded),
  number('failed', failedIn),
  time('waited', ({ waitingMs }) => waitingMs.median),
  time('p95', ({ waitingMs }) => waitingMs.p95),
  time('processed', ({ processingMs }) => processingMs.median),
  time('p95', ({ processingMs }) => processingMs.p95),
  number('backlog', ({ backlog }) => backlog),
];
