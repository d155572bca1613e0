import type { QueueHandle, QueueStats, Receipt, QueueView, TaskSummary } from '@waybill/client';
import { age, count, plural } from '@waybill/client/words';
import { useState } from 'preact/hooks';
import { firstOf } from '../first-of.js';
import { useLive } from '../live.js';
import { type Action, Actions } from '../parts/action.js';
import { BulkOperation } from '../parts/bulk-operation.js';
import { Facts } from '../parts/facts.js';
import { QueueCharts } from '../parts/queue-charts.js';
import { Retention, retains } from '../parts/retention.js';
import { Shown } from '../parts/shown.js';
import { Json, State, Time, Unattended } from '../parts/state.js';
import { TaskTable } from '../parts/task-table.js';
import { DEFAULT_RANGE, type RangeName } from '../ranges.js';
import { hashOf } from '../route.js';
import { service } from '../service.js';

const LATEST = 10;

export interface QueueLook {
  readonly view: QueueView;
  readonly stats: QueueStats;
  /** The latest failures. */
  readonly failed: readonly TaskSummary[];
}

interface QueuePageProps {
  readonly name: string;
  readonly range?: RangeName;
  readonly isLive: boolean;
}

export function QueuePage({ name, range = DEFAULT_RANGE, isLive }: QueuePageProps) {
  const live = useLive(`queue ${name}`, (signal) => look(name, signal), isLive);
  return (
    <Shown live={live} title={`Queue ${name}`}>
      {(seen) => (
        <>
          <Queue seen={seen} onDone={live.refresh} />
          {retains(seen.view) ? <Retention queue={name} /> : null}
          <QueueCharts name={name} range={range} isLive={isLive} />
        </>
      )}
    </Shown>
  );
}

/** Asks for the queue first: if there is none, the rest is no use. */
async function look(name: string, signal: AbortSignal): Promise<QueueLook> {
  const queue = service().queue(name);
  const view = await queue.get({ signal });
  const [stats, failed] = await Promise.all([
    queue.stats({ signal }),
    firstOf(queue.failed({ limit: LATEST, signal }), LATEST),
  ]);
  return { view, stats, failed };
}

export function Queue({ seen: { view, stats, failed }, onDone }: { seen: QueueLook; onDone: () => void }) {
  const [deletion, setDeletion] = useState<string | null>(null);
  const states = Object.entries(stats.counts).filter(([, tasks]) => tasks > 0);
  return (
    <>
      <h1>
        {view.name} <State state={view.state} /> <Unattended stats={stats} />
      </h1>
      {view.description ? <p>{view.description}</p> : null}
      <Actions
        of={`queue '${view.name}'`}
        actions={[...actionsOn(view), ...deletionsOf(view.name, setDeletion)]}
        onDone={onDone}
      />
      {deletion === null ? null : <BulkOperation key={deletion} id={deletion} />}
      <Facts facts={factsOf(view, stats)} />
      <h2>Tasks</h2>
      <ul class="counts">
        {states.map(([state, tasks]) => (
          <li key={state}>
            <a href={hashOf({ page: 'tasks', filter: { queue: view.name, state } })}>
              <b>{count(tasks)}</b> {state}
            </a>
          </li>
        ))}
        {states.length === 0 ? <li class="quiet">none yet</li> : null}
      </ul>
      {failed.length > 0 ? (
        <>
          <h2>Latest failures</h2>
          <TaskTable tasks={failed} />
        </>
      ) : null}
      <details>
        <summary>Policy, version {view.policyVersion}</summary>
        <Json value={view.policy} />
      </details>
    </>
  );
}

function factsOf(
  { name, pause, intake, waitingFor }: QueueView,
  { oldestWaitingMs, longestRunMs, overdue, lastPolledAt, unattended, waitingMs, runningMs }: QueueStats,
) {
  const mean = ({ count: times, total, max }: QueueStats['waitingMs']): string | null =>
    times === 0 ? null : `${age(total / times)} on average, ${age(max)} at most`;
  return [
    ['Paused by', pause && `${pause.by}${pause.reason ? `: ${pause.reason}` : ''}`],
    ['Until', pause?.until ? <Time at={pause.until} /> : null],
    [
      'After',
      pause?.failure && `the failure of ${pause.failure.taskId}: ${pause.failure.message ?? pause.failure.class}`,
    ],
    ['Waits for', waitingFor?.join(', ')],
    ['Intake', intake.open ? 'open' : `closed by ${intake.by}${intake.reason ? `: ${intake.reason}` : ''}`],
    ['Longest wait', oldestWaitingMs === null ? 'no task is waiting' : age(oldestWaitingMs)],
    ['Longest run', longestRunMs === null ? null : age(longestRunMs)],
    ['Overdue', !overdue ? null : <Overdue queue={name} tasks={overdue} />],
    [
      'Workers',
      unattended ? (
        <>
          {lastPolledAt === null ? (
            'tasks wait, but no worker has claimed from this queue yet'
          ) : (
            <>
              tasks wait that no worker claims or knows; the last claim was at <Time at={lastPolledAt} />
            </>
          )}
        </>
      ) : null,
    ],
    ['Waited', mean(waitingMs)],
    ['Ran', mean(runningMs)],
  ] as const;
}

const Overdue = ({ queue, tasks }: { queue: string; tasks: number }) => (
  <a href={hashOf({ page: 'tasks', filter: { queue, overdue: 'true' } })}>
    {plural(tasks, 'task')} past {tasks === 1 ? 'its deadline' : 'their deadlines'}
  </a>
);

type Step = Omit<Action, 'run'> & {
  readonly run: (queue: QueueHandle, reason: string | undefined) => Promise<Receipt>;
};

export const stepsOn = ({ state, intake }: Pick<QueueView, 'state' | 'intake'>): Step[] => [
  state === 'paused'
    ? { name: 'Resume', about: 'Workers can claim its tasks again.', run: (queue, reason) => queue.resume({ reason }) }
    : {
        name: 'Pause',
        about:
          'Workers can claim no tasks until somebody resumes the queue. Running tasks continue, and the queue still accepts tasks.',
        run: (queue, reason) => queue.pause({ reason }),
      },
  intake.open
    ? {
        name: 'Close intake',
        about: 'The queue accepts no more tasks. Workers continue with the existing ones.',
        run: (queue, reason) => queue.closeIntake({ reason }),
      }
    : {
        name: 'Open intake',
        about: 'The queue accepts tasks again.',
        run: (queue, reason) => queue.openIntake({ reason }),
      },
];

const actionsOn = (view: QueueView): Action[] =>
  stepsOn(view).map((step) => ({ ...step, run: (reason) => step.run(service().queue(view.name), reason) }));

/** Both are operations, which go on by themselves. */
const DELETIONS = [
  {
    name: 'Delete',
    running: 'finish',
    about:
      'Closes the intake, gives out nothing more, waits until the running tasks have ended, and deletes the queue with all of its tasks. Their histories stay.',
  },
  {
    name: 'Stop and delete',
    running: 'cancel',
    about:
      'Closes the intake, gives out nothing more, tells workers to stop the running tasks, and deletes the queue with all of its tasks. Their histories stay.',
  },
] as const;

const deletionsOf = (name: string, onStarted: (id: string) => void): Action[] =>
  DELETIONS.map(({ running, ...action }) => ({
    ...action,
    preview: async () => {
      const { count: tasks, running: run = 0 } = await service().queue(name).deleteWithTasks({ preview: true });
      return `${plural(tasks, 'task')}, of which ${run === 1 ? '1 runs' : `${run} run`}.`;
    },
    run: async (reason) => onStarted((await service().queue(name).deleteWithTasks({ running, reason })).id!),
  }));
