import type { TaskDetails, TaskExplanation } from '@waybill/client';
import { explained, stackOf } from '@waybill/client/words';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Actions } from '../app/action.js';
import { Card } from '../ui/card.js';
import { Facts } from '../ui/facts.js';
import { Json } from '../ui/json.js';
import { PageHead } from '../ui/page-head.js';
import { Pill } from '../ui/pill.js';
import { Shown } from '../ui/shown.js';
import { Sides, Stack } from '../ui/stack.js';
import { Ago, At } from '../ui/time.js';
import { spansOf } from '../../../src/spans.js';
import { commandsOn } from './task-actions.js';
import { TaskHistory } from './task-history.js';
import css from './task-page.module.css';
import { titleOf } from './task-title.js';
import { useTask, useTaskHistory, useTaskWhy } from './tasks.queries.js';
import { Timeline } from './timeline.js';

const route = getRouteApi('/tasks/$id');

/** What happened, why it is here, and what can be done. */
export function TaskPage() {
  const { id } = route.useParams();
  const task = useTask(id);
  const why = useTaskWhy(id);
  return (
    <Shown of={task}>
      {(details) => (
        <>
          <PageHead
            title={titleOf(details)}
            beside={<Pill state={details.state} word={details.stateName} />}
            under={<Under task={details} />}
            actions={
              why.data ? <Actions subject={`task ${titleOf(details)}`} actions={commandsOn(id, why.data)} /> : null
            }
          />
          <Stack>
            <Why why={why.data} />
            <Life id={id} />
            <Sides>
              <Stack>
                <Failed task={details} />
                <Content task={details} />
                <Events id={id} />
              </Stack>
              <Card title="About">
                <Facts facts={factsOf(details)} />
              </Card>
            </Sides>
          </Stack>
        </>
      )}
    </Shown>
  );
}

const Under = ({ task: { id, queue, enqueuedAt } }: { task: TaskDetails }) => (
  <>
    <code>{id}</code> in{' '}
    <Link to="/queues/$queue" params={{ queue }}>
      {queue}
    </Link>
    {enqueuedAt ? (
      <>
        , enqueued <Ago at={enqueuedAt} />
      </>
    ) : null}
  </>
);

function Why({ why }: { why: TaskExplanation | undefined }) {
  if (!why || why.state === 'succeeded') return null;
  return (
    <Card title={why.state === 'running' ? 'What it does' : 'Why it is here'}>
      <ul className={css.why}>
        {explained(why).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Card>
  );
}

function Life({ id }: { id: string }) {
  const { data } = useTaskHistory(id);
  if (!data) return null;
  return (
    <Card title="Timeline">
      <Timeline spans={spansOf(data)} />
    </Card>
  );
}

function Failed({ task: { error } }: { task: TaskDetails }) {
  if (!error) return null;
  const stack = stackOf(error);
  return (
    <Card title="Error" aside={error.class}>
      <p className={css.error}>{error.message}</p>
      {stack ? (
        <pre className={css.stack} tabIndex={0}>
          {stack}
        </pre>
      ) : null}
    </Card>
  );
}

const Content = ({ task: { payload, result, data } }: { task: TaskDetails }) => (
  <>
    {payload === null || payload === undefined ? null : (
      <Card title="Payload">
        <Json value={payload} />
      </Card>
    )}
    {result === null || result === undefined ? null : (
      <Card title="Result">
        <Json value={result} />
      </Card>
    )}
    {Object.keys(data).length === 0 ? null : (
      <Card title="Data that attempts recorded">
        <Json value={data} />
      </Card>
    )}
  </>
);

function Events({ id }: { id: string }) {
  const history = useTaskHistory(id);
  return (
    <Card title="History" flush>
      <Shown of={history}>{(events) => <TaskHistory events={events} />}</Shown>
    </Card>
  );
}

const factsOf = (task: TaskDetails) =>
  [
    ['Kind', task.kind],
    ['Reference', task.reference],
    ['Key', task.key],
    ['Description', task.description],
    ['Priority', task.priority || null],
    ['Attempt', task.attempt || null],
    ['Worker', task.worker],
    ['Step', task.step ?? task.lastStep],
    ['Batch', task.batch && <code>{task.batch}</code>],
    ['Labels', labelsOf(task.labels)],
    ['Due', task.dueAt && <At at={task.dueAt} />],
    ['Deadline', task.deadlineAt && <At at={task.deadlineAt} />],
    ['Enqueued', task.enqueuedAt && <At at={task.enqueuedAt} />],
    ['Started', task.startedAt && <At at={task.startedAt} />],
    ['Ended', task.endedAt && <At at={task.endedAt} />],
  ] as const;

const labelsOf = (labels: TaskDetails['labels']): string | null =>
  Object.entries(labels)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ') || null;
