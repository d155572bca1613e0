import type { FailureGroupSummary } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { Count } from '../ui/number.js';
import { Pill } from '../ui/pill.js';
import { type Column, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { groupTitle } from './group-title.js';

interface GroupsTableProps {
  readonly groups: readonly FailureGroupSummary[];
  /** The columns that would say what the page says already, or what only the page of the group has room for. */
  readonly said: readonly string[];
}

export const GroupsTable = ({ groups, said }: GroupsTableProps) => (
  <Table
    about="Failure groups"
    columns={COLUMNS.filter(({ title }) => !said.includes(title))}
    rows={groups}
    keyOf={({ id }) => id}
  />
);

const COLUMNS: readonly Column<FailureGroupSummary>[] = [
  {
    title: 'Failure',
    isWide: true,
    cell: (group) => (
      <Link to="/failures/$group" params={{ group: group.id }}>
        {groupTitle(group)}
      </Link>
    ),
  },
  { title: 'State', cell: ({ state }) => <Pill state={state} /> },
  { title: 'Class', cell: ({ class: of }) => of },
  { title: 'Queues', cell: ({ queues }) => queues.join(', ') },
  { title: 'Failed now', isNumber: true, isFirst: true, cell: ({ failedNow }) => <Count value={failedNow} isAlarm /> },
  { title: 'Tasks ever', isNumber: true, cell: ({ failedTasks }) => <Count value={failedTasks} /> },
  { title: 'Attempts', isNumber: true, cell: ({ failedAttempts }) => <Count value={failedAttempts} /> },
  { title: 'First', isNumber: true, cell: ({ firstSeenAt }) => <Ago at={firstSeenAt} /> },
  { title: 'Last', isNumber: true, cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} /> },
];
