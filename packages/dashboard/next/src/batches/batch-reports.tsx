import type { BatchReport } from '@waybill/client';
import { Card } from '../ui/card.js';
import { Shown } from '../ui/shown.js';
import { type Column, Table } from '../ui/table.js';
import { At } from '../ui/time.js';
import { useBatchReports } from './batches.queries.js';

const MOST_REPORTS = 20;

/** What it reported, the newest first. */
export function BatchReports({ id }: { id: string }) {
  const reports = useBatchReports(id, MOST_REPORTS);
  if (reports.data?.length === 0) return null;
  return (
    <Card title="Reports" flush>
      <Shown of={reports} lines={2}>
        {(items) => <Table about="Reports" columns={COLUMNS} rows={items} keyOf={({ number }) => String(number)} />}
      </Shown>
    </Card>
  );
}

const COLUMNS: readonly Column<BatchReport>[] = [
  { title: 'Report', cell: ({ number, about }) => (about === 'task' ? `${number}, of one task` : number) },
  { title: 'Changes', isNumber: true, cell: ({ changes, more }) => changes.length + more },
  { title: 'When', isWide: true, cell: ({ at }) => <At at={at} /> },
];
