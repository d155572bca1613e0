import type { TaskSummary } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { Pill } from '../ui/pill.js';
import { ShortId } from '../ui/short-id.js';
import { type Column, type Selection, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { Empty } from '../ui/notice.js';
import { titleOf } from './task-title.js';

interface TasksTableProps {
  readonly tasks: readonly TaskSummary[];
  /** What it says if there are none. */
  readonly none: string;
  /** Whether all are of one queue, which the page names. */
  readonly isOfOneQueue?: boolean;
  readonly selection?: Selection;
}

export function TasksTable({ tasks, none, isOfOneQueue = false, selection }: TasksTableProps) {
  if (tasks.length === 0) return <Empty title={none} />;
  const columns = isOfOneQueue ? COLUMNS.filter(({ title }) => title !== 'Queue') : COLUMNS;
  return <Table about="Tasks" columns={columns} rows={tasks} keyOf={({ id }) => id} selection={selection} />;
}

const COLUMNS: readonly Column<TaskSummary>[] = [
  {
    title: 'Task',
    cell: (task) => (
      <Link to="/tasks/$id" params={{ id: task.id }}>
        {titleOf(task)} <ShortId id={task.id} />
      </Link>
    ),
  },
  { title: 'State', cell: ({ state, stateName }) => <Pill state={state} word={stateName} /> },
  { title: 'Queue', cell: ({ queue }) => queue },
  { title: 'Error', isWide: true, cell: ({ error }) => error?.message ?? '' },
  { title: 'Attempt', isNumber: true, cell: ({ attempt }) => (attempt > 1 ? attempt : '') },
  { title: 'Worker', cell: ({ worker }) => worker ?? '' },
  { title: 'Enqueued', isNumber: true, cell: ({ enqueuedAt }) => (enqueuedAt ? <Ago at={enqueuedAt} /> : '') },
  { title: 'Ended', isNumber: true, cell: ({ finishedAt }) => (finishedAt ? <Ago at={finishedAt} /> : '') },
];
