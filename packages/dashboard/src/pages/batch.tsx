import type { BatchDetails, BatchHandle, BatchReport, BatchTally, BatchView, TaskSummary } from '@waybill/client';
import { openTasks } from '@waybill/client/words';
import { firstOf } from '../first-of.js';
import { useLive } from '../live.js';
import { type Action, Actions } from '../parts/action.js';
import { BatchBar } from '../parts/batch-bar.js';
import { Reports, Tally } from '../parts/batch-reports.js';
import { Facts } from '../parts/facts.js';
import { Shown } from '../parts/shown.js';
import { State, Time } from '../parts/state.js';
import { TaskTable } from '../parts/task-table.js';
import { hashOf } from '../route.js';
import { service } from '../service.js';

const FIRST = 20;

export interface BatchLook {
  readonly batch: BatchDetails;
  /** The first of its tasks. */
  readonly tasks: readonly TaskSummary[];
  readonly tally: readonly BatchTally[];
  /** The newest of its reports. */
  readonly reports: readonly BatchReport[];
}

export function BatchPage({ id, isLive }: { id: string; isLive: boolean }) {
  const live = useLive(`batch ${id}`, (signal) => look(id, signal), isLive);
  return (
    <Shown live={live} title={`Batch ${id}`}>
      {(seen) => <Batch seen={seen} onDone={live.refresh} />}
    </Shown>
  );
}

/** Asks for the batch first: if there is none, the rest is no use. */
async function look(id: string, signal: AbortSignal): Promise<BatchLook> {
  const one = service().batch(id);
  const batch = await one.get({ signal });
  const [tally, reports, tasks] = await Promise.all([
    one.tally({ signal }),
    firstOf(one.reports({ limit: FIRST, signal }), FIRST),
    firstOf(service().tasks.list({ batch: id }, { limit: FIRST, signal }), FIRST),
  ]);
  return { batch, tally, reports, tasks };
}

export function Batch({ seen: { batch, tasks, tally, reports }, onDone }: { seen: BatchLook; onDone: () => void }) {
  return (
    <>
      <h1>
        {batch.name} <State state={batch.state} name={batch.stateName} />
      </h1>
      {batch.description ? <p>{batch.description}</p> : null}
      <Actions of={`batch '${batch.name}'`} actions={actionsOn(batch)} onDone={onDone} />
      <p>
        <BatchBar batch={batch} />
      </p>
      <p>
        <a href={hashOf({ page: 'batch-graph', id: batch.id })}>Graph of its tasks</a>
      </p>
      <Facts facts={factsOf(batch)} />
      <OpenTasks tasks={batch.openTasks} />
      {batch.error === null ? null : <p class="error">Could not be planned: {batch.error}</p>}
      <h2>Reports</h2>
      <Reports batch={batch} reports={reports} />
      <h2>Tasks</h2>
      <Tally tally={tally} />
      {tasks.length === 0 ? null : <TaskTable tasks={tasks} />}
      {tasks.length === FIRST ? (
        <p>
          <a href={hashOf({ page: 'tasks', filter: { batch: batch.id } })}>All its tasks</a>
        </p>
      ) : null}
    </>
  );
}

/** What the batch waits for, and how that ends. */
const OpenTasks = ({ tasks }: { tasks: BatchDetails['openTasks'] }) =>
  tasks.length === 0 ? null : (
    <>
      <h2>Still open</h2>
      <ul>
        {tasks.map((open) => (
          <li>{openTasks(open)}</li>
        ))}
      </ul>
    </>
  );

function factsOf({ id, labels, createdAt, endedAt, ...batch }: BatchView) {
  return [
    ['Id', <span class="id">{id}</span>],
    [
      'Labels',
      Object.entries(labels)
        .map((pair) => pair.join('='))
        .join(', '),
    ],
    ['Created', <Time at={createdAt} />],
    ['Ended', endedAt && <Time at={endedAt} />],
    ['Planned by', batch.planner && <LinkTo task={batch.planner} state={batch.plannerState} />],
    ['Runs failed tasks again of', batch.rerunOf && <LinkTo batch={batch.rerunOf} />],
    ['Its failed tasks run again in', batch.rerun && <LinkTo batch={batch.rerun} />],
  ] as const;
}

function LinkTo({ task, batch, state }: { task?: string; batch?: string; state?: string | null }) {
  const href = task === undefined ? hashOf({ page: 'batch', id: batch! }) : hashOf({ page: 'task', id: task });
  return (
    <>
      <a href={href} class="id">
        {task ?? batch}
      </a>{' '}
      {state ? <State state={state} /> : null}
    </>
  );
}

type Step = Omit<Action, 'run'> & {
  readonly command: BatchView['commands'][number];
  readonly run: (batch: BatchHandle, reason: string | undefined) => Promise<unknown>;
};

const STEPS: readonly Step[] = [
  {
    name: 'Release',
    command: 'ReleaseBatch',
    about: 'The task that plans the batch may run, unless a hold still catches it.',
    run: (batch, reason) => batch.release({ reason }),
  },
  {
    name: 'Report',
    command: 'RequestReport',
    about: 'Reports what has changed since the last report. If nothing has, nothing is sent.',
    run: (batch, reason) => batch.report({ reason }),
  },
  {
    name: 'Run again',
    command: 'RerunBatch',
    about: 'Another batch runs the failed tasks again.',
    run: (batch, reason) => batch.rerun({ reason }),
  },

  {
    name: 'Abort',
    command: 'AbortBatch',
    about: 'All its tasks that have not succeeded end at once, and can never be retried.',
    run: (batch, reason) => batch.abort({ reason }),
  },
  {
    name: 'Delete',
    command: 'DeleteBatch',
    about: 'Deletes the batch and all its tasks that have not succeeded, also running ones. Their histories stay.',
    run: (batch, reason) => batch.delete({ reason }),
  },
];

/** What the batch takes now. */
export const stepsOn = ({ commands }: Pick<BatchView, 'commands'>): Step[] =>
  STEPS.filter(({ command }) => commands.includes(command));

const actionsOn = (batch: BatchView): Action[] =>
  stepsOn(batch).map((step) => ({ ...step, run: (reason) => step.run(service().batch(batch.id), reason) }));
