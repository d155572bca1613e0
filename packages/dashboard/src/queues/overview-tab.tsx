import type { ActivityItem, QueueView } from '@waybill/client';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { GroupsTable } from '../failures/groups-table.js';
import { useGroups } from '../failures/failures.queries.js';
import { TasksTable } from '../tasks/tasks-table.js';
import { useTasks } from '../tasks/tasks.queries.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import type { Mark } from '../ui/chart-props.js';
import { Shown } from '../ui/shown.js';
import { Sides, Stack } from '../ui/stack.js';
import { eventName } from '../ui/event-name.js';
import { Tabs } from '../ui/tabs.js';
import { briefTime } from '../ui/times.js';
import { QueueAbout } from './queue-about.js';
import { FigureCharts } from './figure-charts.js';
import { Limits } from './limits.js';
import { useQueueActivity, useFigures } from './queue.queries.js';
import { type Part, RANGES, type Range, rangeOf } from './ranges.js';

const route = getRouteApi('/queues/$queue');

/** Is it healthy, what does it do, and what fails in it. */
export const OverviewTab = ({ view }: { view: QueueView }) => (
  <Stack>
    <Charts name={view.name} range={rangeOf(route.useSearch().range)} />
    <Sides>
      <Stack>
        <Failures queue={view.name} />
        {view.policy.perLabel ? <Limits queue={view.name} /> : null}
        <Runs queue={view.name} />
      </Stack>
      <QueueAbout view={view} />
    </Sides>
  </Stack>
);

function Charts({ name, range }: { name: string; range: Range }) {
  const [part, draw] = usePart();
  const history = useFigures(name, range, part);
  const marks = useQueueActivity(name, range).map(markOf);
  return (
    <Card title="What it does" aside={<RangeTabs range={range} part={part} onWhole={() => draw(null)} />}>
      <Shown of={history}>
        {(data) => (
          <FigureCharts
            history={data}
            marks={marks.filter(({ at }) => isWithin(at, part))}
            onRange={(fromMs, toMs) =>
              draw({ since: new Date(fromMs).toISOString(), until: new Date(toMs).toISOString() })
            }
          />
        )}
      </Shown>
    </Card>
  );
}

/** The part of the charts that the address has, and how to choose another. */
function usePart(): [part: Part | null, draw: (part: Part | null) => void] {
  const { since, until } = route.useSearch();
  const navigate = useNavigate();
  const draw = (part: Part | null): void =>
    void navigate({
      to: '.',
      search: (search: object) => ({ ...search, since: part?.since, until: part?.until }),
    });
  return [since && until ? { since, until } : null, draw];
}

const isWithin = (atMs: number, part: Part | null): boolean =>
  part === null || (Date.parse(part.since) <= atMs && atMs <= Date.parse(part.until));

const markOf = ({ at, type, by, reason }: ActivityItem): Mark => ({
  at: Date.parse(at),
  text: `${eventName(type)} by ${by}${reason ? `: ${reason}` : ''}`,
});

interface RangeTabsProps {
  readonly range: Range;
  readonly part: Part | null;
  readonly onWhole: () => void;
}

const RangeTabs = ({ range, part, onWhole }: RangeTabsProps) =>
  part ? (
    <>
      {briefTime(part.since)} to {briefTime(part.until)}{' '}
      <Button kind="bare" onClick={onWhole}>
        Whole range
      </Button>
    </>
  ) : (
    <Ranges range={range} />
  );

const Ranges = ({ range }: { range: Range }) => (
  <Tabs about="Range of the charts" isInline>
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
      <Shown of={groups}>
        {(data) => <GroupsTable groups={data} said={['State', 'Queues', 'Tasks ever', 'Attempts']} />}
      </Shown>
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
