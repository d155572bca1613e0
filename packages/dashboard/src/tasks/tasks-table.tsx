import type { TaskSummary } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { Pill } from '../ui/pill.js';
import { ShortId } from '../ui/short-id.js';
import { type Column, type Selection, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { Empty } from '../ui/notice.js';
import { titleOf } from './task-title.js';
import { sameBeginning } from './same-beginning.js';
import css from './tasks-table.module.css';

/** A column that a page may say for all. */
export type TaskColumn = 'State' | 'Queue';

/** The column of their queue, if it says the same of all of them. */
export const sameQueue = (tasks: readonly TaskSummary[]): readonly TaskColumn[] =>
  new Set(tasks.map(({ queue }) => queue)).size < 2 ? ['Queue'] : [];

interface TasksTableProps {
  readonly tasks: readonly TaskSummary[];
  /** What it says if there are none. */
  readonly none: string;
  /** Columns that are the same for all of them, and which the page names. */
  readonly said?: readonly TaskColumn[];
  /** Whether all failed with the same, which the page names: then only what differs is shown of their errors. */
  readonly failedAlike?: boolean;
  readonly selection?: Selection;
  readonly onEnd?: () => void;
}

export function TasksTable({ tasks, none, said = [], failedAlike = false, selection, onEnd }: TasksTableProps) {
  if (tasks.length === 0) return <Empty title={none} />;
  const columns = COLUMNS.filter(({ title }) => !said.some((one) => one === title) && (SELDOM[title]?.(tasks) ?? true));
  const shown = failedAlike
    ? columns.flatMap((column) => (column.title === 'Error' ? differing(tasks) : column))
    : columns;
  return <Table about="Tasks" columns={shown} rows={tasks} keyOf={keyOf} selection={selection} onEnd={onEnd} />;
}

const keyOf = ({ id }: TaskSummary): string => id;

/** Columns that are left out where no task has anything to say in them. */
const SELDOM: Readonly<Record<string, (tasks: readonly TaskSummary[]) => boolean>> = {
  Error: (tasks) => tasks.some(({ error }) => error),
  Attempt: (tasks) => tasks.some(({ attempt }) => attempt > 1),
  Worker: (tasks) => tasks.some(({ worker }) => worker),
  Deadline: (tasks) => tasks.some(({ deadlineAt }) => deadlineAt),
  Ended: (tasks) => tasks.some(({ finishedAt }) => finishedAt),
};

const COLUMNS: readonly Column<TaskSummary>[] = [
  {
    title: 'Task',
    cell: (task) => (
      <Link to="/tasks/$id" params={{ id: task.id }}>
        {titleOf(task)} <ShortId id={task.id} />
      </Link>
    ),
  },
  { title: 'State', cell: (task) => <TaskState task={task} /> },
  { title: 'Queue', cell: ({ queue }) => queue },
  { title: 'Error', isWide: true, cell: ({ error }) => (error ? `${error.class}: ${error.message}` : '') },
  { title: 'Attempt', isNumber: true, cell: ({ attempt }) => (attempt > 1 ? attempt : '') },
  { title: 'Worker', cell: ({ worker }) => worker ?? '' },
  { title: 'Enqueued', isNumber: true, cell: ({ enqueuedAt }) => (enqueuedAt ? <Ago at={enqueuedAt} /> : '') },
  { title: 'Deadline', isNumber: true, cell: (task) => <Deadline task={task} /> },
  { title: 'Ended', isNumber: true, cell: ({ finishedAt }) => (finishedAt ? <Ago at={finishedAt} /> : '') },
];

/** What differs in the errors, from the first word that does; none if nothing does. */
function differing(tasks: readonly TaskSummary[]): Column<TaskSummary>[] {
  const same = sameBeginning(tasks.flatMap(({ error }) => error?.message ?? [])).length;
  const cell = ({ error }: TaskSummary): string =>
    (error && same > 0 ? `… ${error.message.slice(same)}` : error?.message) ?? '';
  return tasks.every((task) => task.error?.message === tasks[0]!.error?.message)
    ? []
    : [{ title: 'Error', isWide: true, cell }];
}

/** With what it waits for besides a worker, and how far it is. */
function TaskState({ task: { state, stateName, waitingFor, percent } }: { task: TaskSummary }) {
  const more = [waitingFor && WAITS[waitingFor], percent === null ? null : `${percent} %`].filter(Boolean).join(' ');
  return (
    <>
      <Pill state={state} word={stateName} />
      {more ? <span className={css.more}> {more}</span> : null}
    </>
  );
}

/** What a task waits for; a worker is what most wait for, and is not said. */
const WAITS: Readonly<Partial<Record<NonNullable<TaskSummary['waitingFor']>, string>>> = {
  prerequisites: 'waits for others',
  due: 'not due',
  key: 'waits for its key',
  draining: 'the system drains',
  'queue-paused': 'queue paused',
  'queue-waiting': 'queue waits',
  'queue-finished': 'queue finished',
};

const Deadline = ({ task: { deadlineAt, deadlineMissed } }: { task: TaskSummary }) =>
  deadlineAt ? (
    <>
      {deadlineMissed ? <Pill state="unattended" label="missed" /> : null} <Ago at={deadlineAt} />
    </>
  ) : null;
