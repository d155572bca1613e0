import type { TaskDetails } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { Diff } from '../ui/diff.js';
import { Shown } from '../ui/shown.js';
import { titleOf } from './task-title.js';
import { useLastSuccess } from './tasks.queries.js';

/** In what a task that failed differs from the last one of its queue and kind that succeeded. */
export function Compared({ task }: { task: TaskDetails }) {
  const [isAsked, ask] = useState(false);
  if (task.state !== 'failed' && task.state !== 'undecided') return null;
  return (
    <Card title="What was different?">
      {isAsked ? <Difference task={task} /> : <Button onClick={() => ask(true)}>Compare with the last success</Button>}
    </Card>
  );
}

function Difference({ task }: { task: TaskDetails }) {
  const other = useLastSuccess(task.queue, task.kind);
  return (
    <Shown of={other} lines={2}>
      {(found) =>
        found === null ? (
          <p>
            No task of kind {task.kind} has succeeded in {task.queue}.
          </p>
        ) : (
          <>
            <p>
              Before:{' '}
              <Link to="/tasks/$id" params={{ id: found.id }}>
                {titleOf(found)}
              </Link>
              . After: this task.
            </p>
            <Diff before={comparedOf(found)} after={comparedOf(task)} />
          </>
        )
      }
    </Shown>
  );
}

/** What may explain why one failed: not what differs of every two tasks, such as ids and times. */
const comparedOf = ({ payload, payloadOutside, labels, priority, worker, attempt, data, batch }: TaskDetails) => ({
  payload: payloadOutside ?? payload,
  labels,
  priority,
  worker,
  attempt,
  data,
  batch,
});
