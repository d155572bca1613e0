import type { OperationDetails } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { Became } from '../operations/became.js';
import { Canary } from '../operations/canary.js';
import { useQueueStats } from '../queues/queue.queries.js';
import { Card } from '../ui/card.js';
import { Pill } from '../ui/pill.js';
import { Ago } from '../ui/time.js';
import { useLastOperation } from './failures.queries.js';

interface RecoveryProps {
  readonly group: string;
  /** Where its tasks are. */
  readonly queues: readonly string[];
  readonly isOpen: boolean;
}

/** What became of the tasks that were retried last. */
export function Recovery({ group, queues, isOpen }: RecoveryProps) {
  const { data } = useLastOperation(group);
  if (!data) return null;
  return (
    <Card title="Recovery" aside={<Ordered operation={data} />}>
      {data.became ? <Became outcome={data.became} /> : <p>The tasks get the command.</p>}
      <Canary operation={data} />
      {data.became && data.became.open > 0 ? queues.map((queue) => <Unattended key={queue} queue={queue} />) : null}
      {isOpen && data.finishedAt && data.became && isWhole(data.became) ? (
        <p>All of them succeeded. Resolve it, and it leaves the open failures.</p>
      ) : null}
      {data.error && !data.canary ? <p>{data.error}</p> : null}
    </Card>
  );
}

/** Retried tasks that nobody will run. */
function Unattended({ queue }: { queue: string }) {
  const { data } = useQueueStats(queue);
  if (!data?.unattended) return null;
  return (
    <p>
      No worker asks for tasks of{' '}
      <Link to="/queues/$queue" params={{ queue }}>
        {queue}
      </Link>
      : those that are open wait until somebody starts one.
    </p>
  );
}

const isWhole = ({ succeeded, failed, open, ended }: NonNullable<OperationDetails['became']>): boolean =>
  succeeded > 0 && failed + open + ended === 0;

const Ordered = ({ operation: { id, command, by, orderedAt, state } }: { operation: OperationDetails }) => (
  <>
    <Pill state={state} label={`operation ${state === 'held' ? 'paused' : state}`} />
    <Link to="/operations/$id" params={{ id }}>
      {command} by {by}
    </Link>
    <Ago at={orderedAt} />
  </>
);
