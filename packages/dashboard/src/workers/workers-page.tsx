import type { WorkerView } from '@waybill/client';
import { stuckInWords, workerLabels } from '@waybill/client/words';
import { Link } from '@tanstack/react-router';
import { firstOf, useLive } from '../app/live.js';
import { Card } from '../ui/card.js';
import { Count } from '../ui/number.js';
import { Empty } from '../ui/notice.js';
import { plural, whole } from '../ui/numbers.js';
import { PageHead } from '../ui/page-head.js';
import { Pill } from '../ui/pill.js';
import { Shown } from '../ui/shown.js';
import { type Column, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';

const MOST_WORKERS = 500;

const useWorkers = () =>
  useLive(['workers'], async (waybill, isPast) => {
    const of = (internal: boolean) => firstOf(waybill.workers({ internal, limit: MOST_WORKERS }), MOST_WORKERS);
    return isPast ? of(false) : (await Promise.all([of(false), of(true)])).flat();
  });

/** Who works, on what, and who was lost; the service's own come last. */
export function WorkersPage() {
  const workers = useWorkers();
  return (
    <>
      <PageHead title="Workers" />
      <Shown of={workers}>{(items) => <Workers items={items} />}</Shown>
    </>
  );
}

function Workers({ items }: { items: readonly WorkerView[] }) {
  if (items.length === 0) return <Empty title="No worker has asked for a task yet" />;
  const alive = items.filter(({ state }) => state === 'alive').length;
  return (
    <Card title={`${plural(items.length, 'worker')}, ${whole(alive)} alive`} flush>
      <Table
        about="Workers"
        columns={COLUMNS}
        rows={items}
        keyOf={({ name, queues }) => `${name} ${queues.join(' ')}`}
      />
    </Card>
  );
}

const COLUMNS: readonly Column<WorkerView>[] = [
  {
    title: 'Worker',
    cell: ({ name }) => (
      <Link to="/tasks" search={{ q: `worker:${JSON.stringify(name)}` }}>
        {name}
      </Link>
    ),
  },
  { title: 'State', cell: (worker) => <Pill state={seenAs(worker)} label={worker.state} /> },
  { title: 'Server', cell: ({ server }) => server },
  { title: 'Build', cell: ({ build }) => build },
  { title: 'Queues', isWide: true, cell: ({ queues }) => queues.join(', ') },
  { title: 'Offers', says: ({ offers }) => workerLabels(offers) !== '', cell: ({ offers }) => workerLabels(offers) },
  { title: 'Stuck', says: ({ stuck }) => stuckInWords({ stuck }) !== '', cell: ({ stuck }) => stuckInWords({ stuck }) },
  { title: 'Claimed', isNumber: true, cell: ({ claimed }) => <Count value={claimed} /> },
  { title: 'Running', isNumber: true, cell: ({ running }) => <Count value={running} /> },
  { title: 'Succeeded', isNumber: true, cell: ({ succeeded }) => <Count value={succeeded} /> },
  { title: 'Failed', isNumber: true, cell: ({ failed }) => <Count value={failed} /> },
  { title: 'Lost', isNumber: true, cell: ({ lost }) => <Count value={lost} isAlarm /> },
  { title: 'Last seen', isNumber: true, cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} /> },
];

/** A worker may go at the end of its work: that is nothing to look at unless it took tasks with it. */
const seenAs = ({ state, running, lost }: WorkerView): string =>
  state === 'gone' && running + lost === 0 ? 'ended' : state;
