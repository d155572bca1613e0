import type { ActivityItem } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { ShortId } from '../ui/short-id.js';

/** What a command was given to, as a door to its page where it has one. */
export function SubjectLink({ item: { category, subject, queue } }: { item: ActivityItem }) {
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
    case 'trigger':
      return (
        <Link to="/triggers/$trigger" params={{ trigger: subject }}>
          trigger {subject}
        </Link>
      );
    case 'queue':
      return <QueueLink queue={queue ?? subject} />;
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
  return <>{`${lines} of the sort ${category}`}</>;
}

const QueueLink = ({ queue }: { queue: string }) => (
  <Link to="/queues/$queue" params={{ queue }}>
    {queue}
  </Link>
);
