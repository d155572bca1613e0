import type { BatchTally as Tally } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { Card } from '../ui/card.js';
import { Count } from '../ui/number.js';
import { Empty } from '../ui/notice.js';
import { Pill } from '../ui/pill.js';
import { Shown } from '../ui/shown.js';
import { type Column, Table } from '../ui/table.js';
import { useBatchTally } from './batches.queries.js';

/** How many of a batch's tasks are in each state of each queue, and which step they completed last. */
export function BatchTally({ id }: { id: string }) {
  const tally = useBatchTally(id);
  return (
    <Card title="By queue, step and state" flush>
      <Shown of={tally} lines={3}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No task was added yet" />
          ) : (
            <Table
              about="Tasks by queue, step and state"
              columns={columnsOf(id)}
              rows={rows}
              keyOf={({ queue, step, state }) => `${queue} ${step} ${state}`}
            />
          )
        }
      </Shown>
    </Card>
  );
}

const columnsOf = (batch: string): Column<Tally>[] => [
  {
    title: 'Queue',
    cell: ({ queue, state }) => (
      <Link to="/tasks" search={{ q: `batch:${batch} queue:${queue} state:${state}` }}>
        {queue}
      </Link>
    ),
  },
  { title: 'Step done', says: ({ step }) => step !== null, cell: ({ step }) => step ?? '' },
  { title: 'State', isWide: true, cell: ({ state, stateName }) => <Pill state={state} word={stateName} /> },
  { title: 'Tasks', isNumber: true, cell: ({ tasks }) => <Count value={tasks} /> },
];
