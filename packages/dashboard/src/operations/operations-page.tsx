import type { OperationView } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { Card } from '../ui/card.js';
import { Count } from '../ui/number.js';
import { Empty } from '../ui/notice.js';
import { plural } from '../ui/numbers.js';
import { PageHead } from '../ui/page-head.js';
import { Pill } from '../ui/pill.js';
import { Shown } from '../ui/shown.js';
import { ShortId } from '../ui/short-id.js';
import { type Column, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { MOST_OPERATIONS, useOperations } from './operations.queries.js';

/** What people did up to then is another page, which has a past. */
const OnlyPresent = () => (
  <>
    It says what has become of the tasks since, which is known only now. What was ordered until then is on the page of{' '}
    <Link to="/activity">the activity</Link>.
  </>
);

/** Commands to many tasks at once. */
export function OperationsPage() {
  const operations = useOperations();
  return (
    <>
      <PageHead title="Operations" under="Commands that were given to many tasks at once." />
      <Shown of={operations} onlyPresent={<OnlyPresent />}>
        {(items) => <Operations items={items} />}
      </Shown>
    </>
  );
}

function Operations({ items }: { items: readonly OperationView[] }) {
  if (items.length === 0) return <Empty title="Nobody has given a command to many tasks yet" />;
  return (
    <Card
      title={items.length === MOST_OPERATIONS ? `The latest ${MOST_OPERATIONS}` : plural(items.length, 'operation')}
      flush
    >
      <Table about="Operations" columns={COLUMNS} rows={items} keyOf={({ id }) => id} />
    </Card>
  );
}

const COLUMNS: readonly Column<OperationView>[] = [
  {
    title: 'Operation',
    cell: ({ id, command }) => (
      <Link to="/operations/$id" params={{ id }}>
        {command} <ShortId id={id} />
      </Link>
    ),
  },
  { title: 'State', cell: ({ state }) => <Pill state={state} label={state === 'held' ? 'paused' : state} /> },
  { title: 'Tasks', isNumber: true, cell: ({ expected }) => <Count value={expected} /> },
  { title: 'Who', cell: ({ by }) => by },
  { title: 'Why', isWide: true, cell: ({ reason, error }) => error ?? reason ?? '' },
  { title: 'Ordered', isNumber: true, cell: ({ orderedAt }) => <Ago at={orderedAt} /> },
  {
    title: 'Ended',
    isNumber: true,
    says: ({ finishedAt }) => finishedAt !== null,
    cell: ({ finishedAt }) => (finishedAt ? <Ago at={finishedAt} /> : ''),
  },
];
