import type { QueueView, RetentionView } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { useLive } from '../app/live.js';
import { Card } from '../ui/card.js';
import { Count } from '../ui/number.js';
import { plural } from '../ui/numbers.js';
import { ShortId } from '../ui/short-id.js';
import { Shown } from '../ui/shown.js';
import { type Column, Table } from '../ui/table.js';
import { At } from '../ui/time.js';

export const retains = ({ policy }: Pick<QueueView, 'policy'>): boolean =>
  Object.values(policy.retention).some((days) => days !== null);

/** What leaves the lists of a queue. Asked once, because the service looks through all of the queue's tasks for it. */
export function Retention({ queue }: { queue: string }) {
  const retention = useLive(['retention', queue], (waybill) => waybill.queue(queue).retention(), {
    isOnce: true,
    onlyPresent: true,
  });
  return (
    <Card title="Retention">
      <Shown of={retention} lines={2} onlyPresent="It is a preview of what would leave the lists now.">
        {(view) => <Leaving view={view} />}
      </Shown>
    </Card>
  );
}

const Leaving = ({ view: { archived, lastPassAt, states, more } }: { view: RetentionView }) => (
  <>
    <p>
      {plural(archived, 'task')} {archived === 1 ? 'is' : 'are'} in the archive.{' '}
      {lastPassAt ? (
        <>
          The queue was last looked through at <At at={lastPassAt} />.
        </>
      ) : (
        'The queue has not been looked through yet.'
      )}
    </p>
    <Table about="Retention" columns={COLUMNS} rows={states} keyOf={({ state }) => state} />
    {more ? <p>There are more tasks than these, which were not counted.</p> : null}
  </>
);

const COLUMNS: readonly Column<RetentionView['states'][number]>[] = [
  { title: 'State', cell: ({ state }) => state },
  { title: 'After days', isNumber: true, cell: ({ days }) => days },
  { title: 'Leave now', isNumber: true, cell: ({ tasks }) => <Count value={tasks} /> },
  { title: 'Oldest ended', cell: ({ oldestEndedAt }) => (oldestEndedAt ? <At at={oldestEndedAt} /> : '') },
  { title: 'First', cell: ({ first: [first] }) => (first ? <First id={first} /> : '') },
];

const First = ({ id }: { id: string }) => (
  <Link to="/tasks/$id" params={{ id }}>
    <ShortId id={id} />
  </Link>
);
