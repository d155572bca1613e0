import type { QueueStats, TaskSummary } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOffer } from '../actions/offer.js';
import { refresh } from '../app/live.js';
import { service } from '../app/service.js';
import { workerOf } from '../queues/worker-text.js';
import { useTasks } from '../tasks/tasks.queries.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { CodeBlock } from '../ui/code-block.js';
import { ErrorNotice } from '../ui/notice.js';
import { Pill } from '../ui/pill.js';
import { Stack } from '../ui/stack.js';
import css from './newcomer.module.css';

const QUEUE = 'hello';

/** Whether nobody has had a queue here but that of the test tasks. */
export const isEmpty = (stats: readonly QueueStats[]): boolean => stats.every(({ queue }) => queue === QUEUE);

/** What somebody needs who has never run a task here: a worker to copy, a task, and what becomes of it. */
export function Newcomer() {
  const offers = useOffer();
  return offers({ permission: 'operate' }) && offers({ permission: 'enqueue' }) ? <FirstSteps /> : null;
}

function FirstSteps() {
  const [error, setError] = useState<unknown>(null);
  const { data: tasks = [] } = useTasks(`queue:${QUEUE}`, 1);
  const send = (): void => void sendOne().then(refresh, setError);
  return (
    <Card title="Nothing has run here yet">
      <Stack>
        <p>
          1. Start a worker: in a folder that has @waybill/client, save this as <code>worker.mjs</code>, and run{' '}
          <code>node worker.mjs</code>:
        </p>
        <CodeBlock text={workerOf(QUEUE, location.origin)} about="A worker of the queue hello" />
        <p>2. Send it a task:</p>
        <div>
          <Button kind="primary" onClick={send}>
            Send a test task
          </Button>
        </div>
        {error ? <ErrorNotice error={error} /> : null}
        {tasks[0] ? <Followed task={tasks[0]} /> : null}
      </Stack>
    </Card>
  );
}

async function sendOne(): Promise<void> {
  const queue = service(undefined).queue(QUEUE);
  await queue.define({}, { description: 'Test tasks of newcomers' });
  await queue.enqueue({ name: 'world' }, { reference: 'my first task' });
}

/** How the test task does. */
const Followed = ({ task: { id, state } }: { task: TaskSummary }) => (
  <p role="status" className={css.followed}>
    3. See it run:{' '}
    <Link to="/tasks/$id" params={{ id }}>
      my first task
    </Link>{' '}
    <Pill state={state} /> {SAID[state]}
  </p>
);

const SAID: Readonly<Partial<Record<TaskSummary['state'], string>>> = {
  pending: 'It waits for the worker.',
  succeeded: 'Its page tells everything that happened.',
};
