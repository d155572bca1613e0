import type { ActivityItem } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { eventName } from '../ui/event-name.js';
import { ShortId } from '../ui/short-id.js';

/** The queue whose tasks are operations. */
const OPERATIONS = 'waybill.operations';

/** What a command was given to, as a door to its page where it has one. */
export function SubjectLink({ item: { category, subject, queue } }: { item: ActivityItem }) {
  if (queue === OPERATIONS) {
    return (
      <Link to="/operations/$id" params={{ id: subject }}>
        operation <ShortId id={subject} />
      </Link>
    );
  }
  switch (category) {
    case 'task':
      return (
        <Link to="/tasks/$id" params={{ id: subject }}>
          task <ShortId id={subject} />
        </Link>
      );
    case 'batch':
      return (
        <Link to="/batches/$id" params={{ id: subject }}>
          batch <ShortId id={subject} />
        </Link>
      );
    case 'failure':
      return (
        <Link to="/failures/$group" params={{ group: subject }}>
          failure {subject}
        </Link>
      );
    case 'queue':
      return <QueueLink queue={queue ?? subject} />;
    case 'trigger':
      return (
        <Link to="/triggers/$trigger" params={{ trigger: subject }}>
          trigger {subject}
        </Link>
      );
    case 'hold':
    case 'resource':
      return <Link to="/holds">{`${category} ${subject}`}</Link>;
    case 'system':
    case 'notary':
      return <Link to="/system">{category === 'system' ? 'the system' : 'the sealed log'}</Link>;
    default:
      return <>{`${category} ${subject}`}</>;
  }
}

/** To how many things of a sort the same command was given, as a door to what they are in. */
export function SubjectsLink({ item: { category, queue }, lines }: { item: ActivityItem; lines: number }) {
  if (category === 'task' && queue) {
    return (
      <Link to="/tasks" search={{ q: `queue:${queue}` }}>
        {`${lines} tasks of ${queue}`}
      </Link>
    );
  }
  if (category === 'queue') return <Link to="/queues">{`${lines} queues`}</Link>;
  if (category === 'batch') return <Link to="/batches">{`${lines} batches`}</Link>;
  if (category === 'trigger') return <Link to="/triggers">{`${lines} triggers`}</Link>;
  if (category === 'hold' || category === 'resource') return <Link to="/holds">{`${lines} ${category}s`}</Link>;
  return <>{`${lines} of the sort ${category}`}</>;
}

/** The tasks of these queues are what somebody ordered, in people's words. */
const ORDERS: Readonly<Record<string, string>> = {
  [OPERATIONS]: 'Operation',
  'waybill.erasures': 'Erasure',
};

/** What somebody did, in words: what is ordered is a task only for the service. */
export function whatOf({ type, queue }: Pick<ActivityItem, 'type' | 'queue'>): string {
  const order = ORDERS[queue ?? ''];
  if (!order) return eventName(type);
  return type === 'TaskEnqueued' ? `${order} ordered` : eventName(type).replace(/^Task/, order);
}

const QueueLink = ({ queue }: { queue: string }) => (
  <Link to="/queues/$queue" params={{ queue }}>
    {queue}
  </Link>
);
