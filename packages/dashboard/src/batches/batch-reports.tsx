import type { BatchReport, BatchView } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { Card } from '../ui/card.js';
import { Pill } from '../ui/pill.js';
import { Shown } from '../ui/shown.js';
import { type Column, Table } from '../ui/table.js';
import { At } from '../ui/time.js';
import css from './batch-reports.module.css';
import { useBatchReports } from './batches.queries.js';
import { saidBy, whyNoReport } from './report-words.js';

const MOST_REPORTS = 20;

/** What it reported, the newest first, with the tasks that deliver it. */
export function BatchReports({ batch }: { batch: BatchView }) {
  const reports = useBatchReports(batch.id, MOST_REPORTS);
  return (
    <Card title="Reports" aside={reports.data?.length === MOST_REPORTS ? `the latest ${MOST_REPORTS}` : null} flush>
      <Shown of={reports} lines={2}>
        {(items) =>
          items.length === 0 ? (
            <p className={css.none}>{whyNoReport(batch)}</p>
          ) : (
            <Table about="Reports" columns={COLUMNS} rows={items} keyOf={({ number }) => String(number)} />
          )
        }
      </Shown>
    </Card>
  );
}

const COLUMNS: readonly Column<BatchReport>[] = [
  { title: 'Report', cell: ({ number }) => number },
  { title: 'At', cell: ({ at }) => <At at={at} /> },
  { title: 'Says', isWide: true, cell: (report) => saidBy(report) },
  { title: 'Delivered', cell: (report) => <Deliveries report={report} /> },
];

const Deliveries = ({ report: { deliveries } }: { report: BatchReport }) =>
  deliveries.length === 0 ? (
    <>to nobody</>
  ) : (
    deliveries.map(({ id, kind, state }) => (
      <span key={id}>
        {state === null ? (
          kind
        ) : (
          <Link to="/tasks/$id" params={{ id }}>
            {kind}
          </Link>
        )}{' '}
        <Pill state={state ?? 'pending'} label={state ?? 'about to be sent'} />{' '}
      </span>
    ))
  );
