import type { FailureEvent } from '../../domain/task/failures.events.js';
import { FAILURE_TYPES } from '../../domain/task/failures.events.js';
import type { TaskError } from '../../domain/task/task.events.js';
import { taskIdOf } from '../../domain/task/task.stream.js';
import { type Occurrence, type Projection, sameRule } from '../kernel/projection.js';
import { increment, type RowChange } from '../kernel/row-change.js';
import type { ModelRow } from '../kernel/rows-then.port.js';
import type { Table } from '../kernel/table.js';
import { failureGroups } from './failure-groups.projection.js';
import { groupedErrorIn } from '../kernel/grouped-error.js';
import type { GroupOf } from '../kernel/grouping.js';

/** What the tables of groups have of a group in a queue, in one row. */
const counts = {
  name: 'failure_group_queues',
  key: { group_id: 'text', queue: 'text' },
  columns: {
    class: 'text',
    attempts: 'bigint',
    tasks: 'bigint',
    first_at: 'timestamptz',
    last_at: 'timestamptz',
    last_task: 'uuid',
    last_position: 'text',
  },
} as const satisfies Table;

/** SQL for these rows as they are now. */
export const FAILURES_NOW = `select q.group_id, q.queue, g.class, q.attempts, q.tasks, q.first_at, q.last_at, q.last_task, q.position::text as last_position
  from failure_group_queues q join failure_groups g using (group_id)`;

/** Such a row. */
export interface FailuresRow extends ModelRow {
  readonly group_id: string;
  readonly queue: string;
  readonly class: TaskError['class'];
  readonly attempts: number;
  readonly tasks: number;
  readonly first_at: string;
  readonly last_at: string;
  readonly last_task: string;
  readonly last_position: string;
}

/** The failures by group and queue, as the model of the groups counts them, for its rows as of a moment. */
export const failuresThen = (groupOf: GroupOf): Projection<FailureEvent['type']> => {
  const rule = (recorded: Occurrence<FailureEvent>): readonly RowChange[] => changesOf(groupOf, recorded);
  const { name, version } = failureGroups;
  return { name, version, tables: [counts], project: sameRule(FAILURE_TYPES, rule) };
};

function changesOf(
  groupOf: GroupOf,
  { event, recordedAt: at, stream, position }: Occurrence<FailureEvent>,
): readonly RowChange[] {
  const { queue } = event.data;
  const error = groupedErrorIn(event);
  if (error === null) return [];
  return [
    increment(
      counts,
      { group_id: groupOf(error), queue },
      {
        add: event.type === 'TaskAttemptFailed' ? { attempts: 1 } : { tasks: 1 },
        least: { first_at: at },
        greatest: { last_at: at },
        latest: { class: error.class, last_task: taskIdOf(stream), last_position: String(position) },
      },
    ),
  ];
}
