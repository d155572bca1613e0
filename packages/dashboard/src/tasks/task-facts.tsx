import type { TaskDetails } from '@waybill/client';
import { workerLabels } from '@waybill/client/words';
import { Link } from '@tanstack/react-router';
import { useBatch } from '../batches/batches.queries.js';
import { Card } from '../ui/card.js';
import { Facts } from '../ui/facts.js';
import { Pill } from '../ui/pill.js';
import { ShortId } from '../ui/short-id.js';
import { At } from '../ui/time.js';
import css from './task-facts.module.css';

/** Everything else that is known of a task. */
export const TaskFacts = ({ task }: { task: TaskDetails }) => (
  <Card title="About">
    <Facts facts={[...namesOf(task), ...timesOf(task), ...relationsOf(task)]} />
  </Card>
);

const namesOf = (task: TaskDetails) =>
  [
    ['Kind', task.kind],
    ['Reference', task.reference],
    ['Key', task.key],
    ['Description', task.description],
    ['Labels', labelsOf(task.labels)],
    ['Needs', task.needs && workerLabels(task.needs)],
    ['Priority', task.priority || null],
    ['Attempt', task.attempt || null],
    ['Worker', task.worker],
    ['Step', task.step],
    ['Last successful step', task.lastStep],
    ['Audit context', task.auditContext],
  ] as const;

const timesOf = (task: TaskDetails) =>
  [
    ['Enqueued', task.enqueuedAt && <At key="enqueued" at={task.enqueuedAt} />],
    ['Due', task.dueAt && <At key="due" at={task.dueAt} />],
    ['Expires', task.expiresAt && <At key="expires" at={task.expiresAt} />],
    ['Deadline', task.deadlineAt && <Deadline key="deadline" task={task} />],
    ['Started', task.startedAt && <At key="started" at={task.startedAt} />],
    ['Last heartbeat', task.lastHeartbeatAt && <At key="heartbeat" at={task.lastHeartbeatAt} />],
    ['Runs until', task.runUntil && <At key="until" at={task.runUntil} />],
    ['Last run ended', task.endedAt && task.endedAt !== task.finishedAt ? <At key="ended" at={task.endedAt} /> : null],
    ['Finished', task.finishedAt && <At key="finished" at={task.finishedAt} />],
    ['Archived', task.archivedAt && <At key="archived" at={task.archivedAt} />],
    ['Updated', task.updatedAt === task.finishedAt ? null : <At key="updated" at={task.updatedAt} />],
  ] as const;

const relationsOf = (task: TaskDetails) =>
  [
    ['Batch', task.batch && <BatchLink key="batch" id={task.batch} />],
    ['Job', task.job && <TaskLink key="job" id={task.job} />],
    ['Runs again', task.rerunOf && <TaskLink key="of" id={task.rerunOf} />],
    ['Run again by', task.rerun && <TaskLink key="again" id={task.rerun} />],
    ['Context', task.context && <code key="context">{task.context}</code>],
    ['Traces', task.traces.length > 0 ? <Traces key="traces" traces={task.traces} /> : null],
    ['Items', task.items.length > 0 ? <Items key="items" items={task.items} /> : null],
  ] as const;

const Deadline = ({ task: { deadlineAt, deadlineMissed } }: { task: TaskDetails }) => (
  <>
    <At at={deadlineAt} /> {deadlineMissed ? <Pill state="unattended" label="missed" /> : null}
  </>
);

const TaskLink = ({ id }: { id: string }) => (
  <Link to="/tasks/$id" params={{ id }}>
    <ShortId id={id} />
  </Link>
);

/** By its name, once that is known. */
function BatchLink({ id }: { id: string }) {
  const { data } = useBatch(id);
  return (
    <Link to="/batches/$id" params={{ id }}>
      {data ? data.name : <ShortId id={id} />}
    </Link>
  );
}

/** What was claimed for the job. */
const Items = ({ items }: { items: TaskDetails['items'] }) => (
  <ul>
    {items.map(({ id, state }) => (
      <li key={id}>
        <TaskLink id={id} /> <Pill state={state} />
      </li>
    ))}
  </ul>
);

/** Where a tracing tool shows them, if the service knows that. */
const Traces = ({ traces }: { traces: TaskDetails['traces'] }) => (
  <ul className={css.traces}>
    {traces.map(({ traceId, attempt, url }) => (
      <li key={traceId}>
        {url === null ? (
          <>
            {traceOf(attempt)} <code>{traceId}</code>
          </>
        ) : (
          <a href={url} target="_blank" rel="noreferrer">
            {traceOf(attempt)}
          </a>
        )}
      </li>
    ))}
  </ul>
);

const traceOf = (attempt: number | null): string =>
  attempt === null ? 'Trace of the submission' : `Trace of attempt ${attempt}`;

const labelsOf = (labels: TaskDetails['labels']): string | null =>
  Object.entries(labels)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ') || null;
