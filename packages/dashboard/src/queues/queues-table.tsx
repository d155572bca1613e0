import type { QueueStats } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { Count, None } from '../ui/number.js';
import { short } from '../ui/numbers.js';
import { Pill } from '../ui/pill.js';
import { Sparkline } from '../ui/sparkline.js';
import { type Column, Table } from '../ui/table.js';
import { duration } from '../ui/times.js';
import { type Figures, failedIn } from './figures.js';
import { type QueueRow, useCourses } from './queues.queries.js';

/** Queues with what they do: those that need somebody stand out, the others are mute. */
export function QueuesTable({ about, rows }: { about: string; rows: readonly QueueRow[] }) {
  const courses = useCourses(rows.slice(0, MOST_COURSES).map(({ view }) => view.name));
  const isSaid = rows.some(hasState);
  const all = columns(courses).filter(({ title }) => isSaid || title !== STATE);
  return <Table about={about} rows={rows} keyOf={({ view }) => view.name} columns={all} />;
}

/** A course is a request: the first queues of the list have one. */
const MOST_COURSES = 20;

const STATE = 'State';

const columns = (courses: ReadonlyMap<string, Figures>): Column<QueueRow>[] => [
  {
    title: 'Queue',
    cell: ({ view: { name } }) => (
      <Link to="/queues/$queue" params={{ queue: name }}>
        {name}
      </Link>
    ),
  },
  { title: STATE, isWide: true, cell: ({ view, stats }) => <States view={view} stats={stats} /> },
  { title: 'Last hour', cell: ({ view }) => <Course history={courses.get(view.name)} /> },
  { title: 'Waiting', isNumber: true, cell: (row) => <Tasks row={row} state="pending" /> },
  { title: 'Oldest', isNumber: true, cell: ({ stats }) => ageOf(stats?.oldestWaitingMs ?? null) },
  { title: 'Running', isNumber: true, cell: (row) => <Tasks row={row} state="running" /> },
  { title: 'Held', isNumber: true, cell: (row) => <Tasks row={row} state="held" /> },
  { title: 'Undecided', isNumber: true, cell: (row) => <Tasks row={row} state="undecided" /> },
  {
    title: 'Failed',
    isNumber: true,
    isFirst: true,
    cell: (row) => <Tasks row={row} state="failed" />,
  },
  { title: 'Succeeded', isNumber: true, cell: (row) => <Tasks row={row} state="succeeded" /> },
];

/** A queue without a figure for a state has no task in it. */
const tasksIn = (stats: QueueRow['stats'], state: keyof QueueStats['counts']): number | null =>
  stats && (stats.counts[state] ?? 0);

/** How many tasks are in the state, as a door to them. */
function Tasks({ row: { view, stats }, state }: { row: QueueRow; state: keyof QueueStats['counts'] }) {
  const tasks = tasksIn(stats, state);
  const count = <Count value={tasks} isAlarm={state === 'failed' || state === 'undecided'} />;
  if (!tasks) return count;
  return (
    <Link to="/tasks" search={{ q: `queue:${view.name} state:${state}` }}>
      {count}
    </Link>
  );
}

const ageOf = (ms: number | null) => (ms === null ? <None /> : duration(ms));

/** Active is the rule, and says nothing. */
const hasState = ({ view, stats }: QueueRow): boolean =>
  view.state !== 'active' || !view.intake.open || stats?.unattended === true;

function States(row: QueueRow) {
  if (!hasState(row)) return null;
  const { view, stats } = row;
  return (
    <>
      {view.state === 'active' ? null : <Pill state={view.state} />}{' '}
      {view.intake.open ? null : <Pill state="held" label="intake closed" />}{' '}
      {stats?.unattended ? <Pill state="unattended" label="no worker" /> : null}
    </>
  );
}

function Course({ history }: { history: Figures | undefined }) {
  if (!history) return null;
  const { total, buckets } = history;
  const about = `the last hour: ${short(total.succeeded)} succeeded, ${short(failedIn(total))} failed`;
  return <Sparkline values={buckets.map((of) => of.succeeded)} alarms={buckets.map(failedIn)} about={about} />;
}
