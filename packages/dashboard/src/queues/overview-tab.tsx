import type { ActivityItem, QueueView } from '@waybill/client';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { GroupsTable } from '../failures/groups-table.js';
import { useGroups } from '../failures/failures.queries.js';
import { TasksTable } from '../tasks/tasks-table.js';
import { useTasks } from '../tasks/tasks.queries.js';
import { Card } from '../ui/card.js';
import type { Mark } from '../ui/chart-props.js';
import { Shown } from '../ui/shown.js';
import { Sides, Stack } from '../ui/stack.js';
import { Tabs } from '../ui/tabs.js';
import { QueueAbout } from './queue-about.js';
import { FigureCharts } from './figure-charts.js';
import { useQueueActivity, useFigures } from './queue.queries.js';
import { RANGES, type Range, rangeOf } from './ranges.js';

const route = getRouteApi('/queues/$queue');

/** Is it healthy, what does it do, and what fails in it. */
export const OverviewTab = ({ view }: { view: QueueView }) => (
  <Stack>
    <Charts name={view.name} range={rangeOf(route.useSearch().range)} />
    <Sides>
      <Stack>
        <Failures queue={view.name} />
        <Runs queue={view.name} />
      </Stack>
      <QueueAbout view={view} />
    </Sides>
  </Stack>
);

function Charts({ name, range }: { name: string; range: Range }) {
  const history = useFigures(name, range);
  const activity = useQueueActivity(name, range);
  const navigate = useNavigate();
  const stand = (fromMs: number): void =>
    void navigate({ to: '.', search: (search: object) => ({ ...search, at: new Date(fromMs).toISOString() }) });
  return (
    <Card title="What it does" aside={<RangeTabs range={range} />}>
      <Shown of={history}>
        {(data) => <FigureCharts history={data} marks={activity.map(markOf)} onRange={stand} />}
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
        activeOptions={{ exact: true }}
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
    <Card
      title="What fails"
      aside={
        <Link to="/tasks" search={{ q: `queue:${queue} state:failed` }}>
          All its failed tasks
        </Link>
      }
      flush
    >
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
        {(tasks) => <TasksTable tasks={tasks} none="Nothing runs." said={['Queue', 'State']} />}
      </Shown>
    </Card>
  );
}

const MOST_RUNNING = 20;
