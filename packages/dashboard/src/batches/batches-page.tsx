import type { BatchView } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { Actions } from '../actions/actions.js';
import { Card } from '../ui/card.js';
import { Count } from '../ui/number.js';
import { Empty } from '../ui/notice.js';
import { plural } from '../ui/numbers.js';
import { PageHead } from '../ui/page-head.js';
import { Pill } from '../ui/pill.js';
import { Shown } from '../ui/shown.js';
import { type Column, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { CREATE } from './batch-actions.js';
import { BatchBar } from './batch-bar.js';
import { MOST_BATCHES, useBatches } from './batches.queries.js';

export function BatchesPage() {
  const batches = useBatches();
  return (
    <>
      <PageHead title="Batches" actions={<Actions subject="of tasks" actions={[CREATE]} />} />
      <Shown of={batches}>{(items) => <Batches items={items} />}</Shown>
    </>
  );
}

function Batches({ items }: { items: readonly BatchView[] }) {
  if (items.length === 0) {
    return (
      <Empty title="There is no batch yet">
        <p>
          A batch is tasks that belong together and are reported together. A program makes one with{' '}
          <code>waybill.planBatch</code>.
        </p>
      </Empty>
    );
  }
  return (
    <Card
      title={items.length === MOST_BATCHES ? `The latest ${MOST_BATCHES}` : plural(items.length, 'batch', 'batches')}
      flush
    >
      <Table about="Batches" columns={COLUMNS} rows={items} keyOf={({ id }) => id} />
    </Card>
  );
}

const COLUMNS: readonly Column<BatchView>[] = [
  {
    title: 'Batch',
    isWide: true,
    cell: ({ id, name }) => (
      <Link to="/batches/$id" params={{ id }}>
        {name}
      </Link>
    ),
  },
  { title: 'State', cell: ({ state, stateName }) => <Pill state={state} word={stateName} /> },
  { title: 'Progress', cell: (batch) => <BatchBar batch={batch} /> },
  { title: 'Tasks', isNumber: true, cell: ({ total }) => <Count value={total} /> },
  { title: 'Open', isNumber: true, cell: ({ open }) => <Count value={open} /> },
  { title: 'Failed', isNumber: true, cell: ({ failed }) => <Count value={failed} isAlarm /> },
  { title: 'Made', isNumber: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
  {
    title: 'Ended',
    isNumber: true,
    says: ({ endedAt }) => endedAt !== null,
    cell: ({ endedAt }) => (endedAt ? <Ago at={endedAt} /> : ''),
  },
];
