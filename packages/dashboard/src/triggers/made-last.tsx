import type { TriggerView } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { ShortId } from '../ui/short-id.js';

/** What it made last: a job, with the last of its items, or a task. */
export const MadeLast = ({ trigger: { last, lastItem, queue } }: { trigger: TriggerView }) =>
  last ? (
    <>
      {queue ? 'job' : 'task'} <TaskLink id={last.task} />
      {lastItem ? (
        <>
          , last item <TaskLink id={lastItem} />
        </>
      ) : null}
    </>
  ) : null;

const TaskLink = ({ id }: { id: string }) => (
  <Link to="/tasks/$id" params={{ id }}>
    <ShortId id={id} />
  </Link>
);
