import type { TaskDetails } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { Card } from '../ui/card.js';
import { plural } from '../ui/numbers.js';
import { ShortId } from '../ui/short-id.js';
import { Shown } from '../ui/shown.js';
import { At, useNow } from '../ui/time.js';
import { expiriesOf, useLastExpiry } from './queue.queries.js';

/** What the queue's `expireDays` erases and when, and what it erased last. */
export function Expiry({ queue, days }: { queue: string; days: number }) {
  const last = useLastExpiry(queue);
  return (
    <Card
      title="Expiry"
      aside={
        <Link to="/tasks" search={{ q: expiriesOf(queue) }}>
          All its expiries
        </Link>
      }
    >
      <p>
        What tasks were about is erased {plural(days, 'day')} after they ended. The service looks for more at{' '}
        <At at={nextDay(useNow())} />.
      </p>
      <Shown of={last} lines={1} onlyPresent="It is about the erasures up to now.">
        {(task) => <Last task={task} />}
      </Shown>
    </Card>
  );
}

function Last({ task }: { task: TaskDetails | null }) {
  if (task === null) return <p>Nothing has expired yet.</p>;
  const { id, finishedAt, result } = task;
  const { erased } = result as { readonly erased: number };
  return (
    <p>
      Last, {plural(erased, 'task')} {erased === 1 ? 'was' : 'were'} erased at <At at={finishedAt} />, by{' '}
      <Link to="/tasks/$id" params={{ id }}>
        <ShortId id={id} />
      </Link>
      .
    </p>
  );
}

const DAY_MS = 86_400_000;

/** When the next day begins in UTC. */
const nextDay = (nowMs: number): string => new Date((Math.floor(nowMs / DAY_MS) + 1) * DAY_MS).toISOString();
