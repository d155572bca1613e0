import type { BatchDetails, TaskSummary } from '@waybill/client';
import { openTasks } from '@waybill/client/words';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Actions } from '../actions/actions.js';
import { Visited } from '../app/visits.js';
import { Cause } from '../graph/cause.js';
import { useCause } from '../graph/graph.queries.js';
import { sameQueue, type TaskColumn, TasksTable } from '../tasks/tasks-table.js';
import { useTasks } from '../tasks/tasks.queries.js';
import { EvidenceCard } from '../events/evidence-card.js';
import { HistoryCard } from '../events/history.js';
import { Card } from '../ui/card.js';
import { Facts } from '../ui/facts.js';
import { Count } from '../ui/number.js';
import { plural } from '../ui/numbers.js';
import { PageHead } from '../ui/page-head.js';
import { Pill } from '../ui/pill.js';
import { Shown } from '../ui/shown.js';
import { Sides, Stack } from '../ui/stack.js';
import { At } from '../ui/time.js';
import { commandsOn } from './batch-actions.js';
import { BatchBar } from './batch-bar.js';
import { BatchReports } from './batch-reports.js';
import { BatchTally } from './batch-tally.js';
import { BatchTimeline } from './batch-timeline.js';
import { useBatch } from './batches.queries.js';

const route = getRouteApi('/batches/$id');

/** How far it is, what keeps it, and what it reported. */
export function BatchPage() {
  const { id } = route.useParams();
  const batch = useBatch(id);
  return (
    <Shown of={batch} page={`Batch ${id}`}>
      {(details) => (
        <>
          <Visited sort="batch" id={id} />
          <PageHead
            title={details.name}
            beside={<Pill state={details.state} word={details.stateName} />}
            under={<Under batch={details} />}
            actions={<Actions subject={`batch ${details.name}`} actions={commandsOn(details)} />}
          />
          <Stack>
            <Progress batch={details} />
            <Sides>
              <Stack>
                <Tasks id={id} title="What failed" states={FAILED} none="Nothing failed." />
                <BatchTimeline
                  searches={[searchOf(id, FAILED), searchOf(id, RUNNING), searchOf(id, WAITING), searchOf(id, ENDED)]}
                  most={MOST_TASKS}
                />
                <BatchTally id={id} />
                <Tasks id={id} title="What runs" states={RUNNING} none="Nothing runs." />
                <Tasks id={id} title="What waits" states={WAITING} none="Nothing waits." />
                <Tasks id={id} title="What else ended" states={ENDED} none="Nothing else has ended." />
                <BatchReports batch={details} />
                <HistoryCard of={`batch ${id}`} read={(waybill) => waybill.batch(id).history()} />
              </Stack>
              <Stack>
                <Card title="About">
                  <Facts facts={factsOf(details)} />
                </Card>
                <EvidenceCard subject={{ batch: id }} name={`batch-${id}`} />
              </Stack>
            </Sides>
          </Stack>
        </>
      )}
    </Shown>
  );
}

const Under = ({ batch: { id, description } }: { batch: BatchDetails }) => (
  <>
    {description ? `${description} ` : ''}
    <Link to="/batches/$id/graph" params={{ id }}>
      Graph of its tasks
    </Link>
  </>
);

const Progress = ({ batch }: { batch: BatchDetails }) => (
  <Card
    title={`${plural(batch.succeeded, 'task')} of ${batch.total} succeeded`}
    aside={
      batch.failed > 0 ? (
        <>
          <Count value={batch.failed} isAlarm /> failed
        </>
      ) : null
    }
  >
    <Stack>
      <BatchBar batch={batch} />
      {batch.error ? <p>Could not be planned: {batch.error}</p> : null}
      {batch.openTasks.length > 0 ? (
        <>
          {batch.failed > 0 ? <KeepsIt id={batch.id} /> : null}
          <div>
            <h3>Still open, and the commands that end it</h3>
            <ul>
              {batch.openTasks.map((open) => (
                <li key={JSON.stringify(open)}>{openTasks(open)}</li>
              ))}
            </ul>
          </div>
        </>
      ) : null}
    </Stack>
  </Card>
);

/** What its blocked tasks wait for in the end. */
function KeepsIt({ id }: { id: string }) {
  const { data } = useCause(id);
  return data ? <Cause graph={data} /> : null;
}

interface TasksProps {
  readonly id: string;
  readonly title: string;
  readonly states: string;
  readonly none: string;
}

const FAILED = 'failed,undecided';
const RUNNING = 'running';
const WAITING = 'held,pending,prepared';
const ENDED = 'succeeded,cancelled,aborted,superseded';

const searchOf = (id: string, states: string): string => `batch:${id} state:${states}`;

/** The first tasks in some states: failed ones before those that are well. */
function Tasks({ id, title, states, none }: TasksProps) {
  const q = searchOf(id, states);
  const tasks = useTasks(q, MOST_TASKS);
  return (
    <Card
      title={title}
      aside={
        <Link to="/tasks" search={{ q }}>
          All of them
        </Link>
      }
      flush
    >
      <Shown of={tasks} lines={3}>
        {(found) => <TasksTable tasks={found} none={none} said={saidOf(states, found)} />}
      </Shown>
    </Card>
  );
}

const MOST_TASKS = 20;

/** What the title of the list says of all of them, or one queue for all, leaves room for errors. */
const saidOf = (states: string, tasks: readonly TaskSummary[]): readonly TaskColumn[] => [
  ...(states === FAILED && tasks.every(({ state }) => state === 'failed') ? (['State'] as const) : []),
  ...sameQueue(tasks),
];

const factsOf = ({ id, labels, planner, plannerState, rerunOf, rerun, createdAt, endedAt }: BatchDetails) =>
  [
    ['Id', <code key="id">{id}</code>],
    [
      'Labels',
      Object.entries(labels)
        .map(([name, value]) => `${name}: ${value}`)
        .join(', ') || null,
    ],
    [
      'Planned by',
      planner && (
        <span key="planner">
          <TaskLink id={planner} /> {plannerState ? <Pill state={plannerState} /> : null}
        </span>
      ),
    ],
    ['Runs failed tasks again of', rerunOf && <BatchLink id={rerunOf} />],
    ['Its failed tasks run again in', rerun && <BatchLink id={rerun} />],
    ['Made', <At key="made" at={createdAt} />],
    ['Ended', endedAt && <At key="ended" at={endedAt} />],
  ] as const;

const TaskLink = ({ id }: { id: string }) => (
  <Link to="/tasks/$id" params={{ id }}>
    <code>{id}</code>
  </Link>
);

const BatchLink = ({ id }: { id: string }) => (
  <Link to="/batches/$id" params={{ id }}>
    <code>{id}</code>
  </Link>
);
