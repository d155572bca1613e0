import type { ActivityItem, QueueStatsDetails, QueueView } from '@waybill/client';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { GroupsTable } from '../failures/groups-table.js';
import { useGroups } from '../failures/failures.queries.js';
import { TasksTable } from '../tasks/tasks-table.js';
import { useTasks } from '../tasks/tasks.queries.js';
import { Card } from '../ui/card.js';
import type { Mark } from '../ui/chart-props.js';
import { Facts } from '../ui/facts.js';
import { PageHead } from '../ui/page-head.js';
import { Pill } from '../ui/pill.js';
import { Shown } from '../ui/shown.js';
import { Sides, Stack } from '../ui/stack.js';
import { Tabs } from '../ui/tabs.js';
import { At } from '../ui/time.js';
import { duration } from '../ui/times.js';
import { QueueActions } from './queue-actions.js';
import { QueueCharts } from './queue-charts.js';
import { QueueCounts } from './queue-counts.js';
import { useQueue, useQueueActivity, useQueueHistory, useQueueStats } from './queue.queries.js';
import { RANGES, type Range, rangeOf } from './ranges.js';

const route = getRouteApi('/queues/$queue');

/** Is it healthy, what does it do, and what fails in it. */
export function QueuePage() {
  const { queue: name } = route.useParams();
  const range = rangeOf(route.useSearch().range);
  const queue = useQueue(name);
  return (
    <Shown of={queue}>
      {(view) => (
        <>
          <PageHead
            title={view.name}
            beside={<States view={view} />}
            under={view.description || undefined}
            actions={<QueueActions view={view} />}
          />
          <Stack>
            <Numbers name={name} />
            <Charts name={name} range={range} />
            <Sides>
              <Stack>
                <Failures queue={name} />
                <Runs queue={name} />
              </Stack>
              <About view={view} />
            </Sides>
          </Stack>
        </>
      )}
    </Shown>
  );
}

const States = ({ view: { state, intake } }: { view: QueueView }) => (
  <>
    <Pill state={state} />
    {intake.open ? null : <Pill state="held" label="intake closed" />}
  </>
);

function Numbers({ name }: { name: string }) {
  const stats = useQueueStats(name);
  return (
    <Shown of={stats} lines={2}>
      {(data) => <QueueCounts stats={data} />}
    </Shown>
  );
}

function Charts({ name, range }: { name: string; range: Range }) {
  const history = useQueueHistory(name, range);
  const { data: activity = [] } = useQueueActivity(name, range);
  const navigate = useNavigate();
  const stand = (fromMs: number): void =>
    void navigate({ to: '.', search: (search: object) => ({ ...search, at: new Date(fromMs).toISOString() }) });
  return (
    <Card title="What it does" aside={<RangeTabs range={range} />}>
      <Shown of={history}>
        {(data) => <QueueCharts history={data} marks={activity.map(markOf)} onRange={stand} />}
      </Shown>
    </Card>
  );
}

const markOf = ({ at, type, by }: ActivityItem): Mark => ({ at: Date.parse(at), text: `${type} by ${by}` });

const RangeTabs = ({ range }: { range: Range }) => (
  <Tabs about="Range of the charts">
    {(Object.keys(RANGES) as Range[]).map((one) => (
      <Link
        key={one}
        to="."
        search={(search) => ({ ...search, range: one })}
        aria-current={one === range ? 'page' : undefined}
      >
        {one}
      </Link>
    ))}
  </Tabs>
);

function Failures({ queue }: { queue: string }) {
  const groups = useGroups('open', queue);
  if (groups.data?.length === 0) return null;
  return (
    <Card title="What fails" flush>
      <Shown of={groups}>{(data) => <GroupsTable groups={data} />}</Shown>
    </Card>
  );
}

function Runs({ queue }: { queue: string }) {
  const running = useTasks(`queue:${queue} state:running`, MOST_RUNNING);
  return (
    <Card
      title="Runs now"
      flush
      aside={
        <Link to="/tasks" search={{ q: `queue:${queue}` }}>
          All its tasks
        </Link>
      }
    >
      <Shown of={running} lines={3}>
        {(tasks) => <TasksTable tasks={tasks} none="Nothing runs." isOfOneQueue />}
      </Shown>
    </Card>
  );
}

const MOST_RUNNING = 20;

function About({ view }: { view: QueueView }) {
  const stats = useQueueStats(view.name).data ?? null;
  return (
    <Card title="About">
      <Facts facts={factsOf(view, stats)} />
    </Card>
  );
}

const factsOf = (view: QueueView, stats: QueueStatsDetails | null) =>
  [
    ['Paused by', view.pause && [view.pause.by, view.pause.reason].filter(Boolean).join(': ')],
    [
      'Intake',
      view.intake.open ? null : `closed by ${[view.intake.by, view.intake.reason].filter(Boolean).join(': ')}`,
    ],
    ['Waits for', view.waitingFor?.join(', ')],
    ['Oldest waiting', durationOf(stats?.oldestWaitingMs)],
    ['Longest run', durationOf(stats?.longestRunMs)],
    ['Past their deadline', stats?.overdue || null],
    ['Last claim', stats?.lastPolledAt ? <At at={stats.lastPolledAt} /> : null],
    ['Policy', `version ${view.policyVersion}`],
    ['Made', <At at={view.createdAt} />],
  ] as const;

const durationOf = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : duration(ms);
