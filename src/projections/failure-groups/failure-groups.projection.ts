import type { FailureGroupEvent } from '../../domain/failure-group/failure-group.events.js';
import { FAILURE_TYPES, type FailureEvent } from '../../domain/task/failures.events.js';
import { isJob } from '../../domain/task/jobs.events.js';
import { isReserved } from '../../domain/queue/reserved.policy.js';
import type { MovingTaskEventType, TaskError, TaskEvent, TaskStatus } from '../../domain/task/task.events.js';
import { taskIdOf } from '../../domain/task/task.stream.js';
import { type Occurrence, type Projection, sameRule } from '../kernel/projection.js';
import { increment, type RowChange } from '../kernel/row-change.js';
import { LEAVING_SEVERAL, stateMove } from '../kernel/state-move.js';
import type { ColumnValue, Table } from '../kernel/table.js';
import { groupedErrorIn } from '../kernel/grouped-error.js';
import { groupBy, type GroupOf } from '../kernel/grouping.js';

const COUNTS = { attempts: 'bigint', tasks: 'bigint' } as const;
const TIMES = { first_at: 'timestamptz', last_at: 'timestamptz' } as const;

const groups = {
  name: 'failure_groups',
  key: { group_id: 'text' },
  columns: {
    class: 'text',
    ...COUNTS,
    ...TIMES,
    said_state: 'text',
    returns: 'bigint',
    said: 'jsonb',
    repair: 'jsonb',
    returned: 'jsonb',
  },
} as const satisfies Table;

const queues = {
  name: 'failure_group_queues',
  key: { group_id: 'text', queue: 'text' },
  columns: { ...COUNTS, ...TIMES, last_task: 'uuid' },
} as const satisfies Table;

const hours = {
  name: 'failure_group_hours',
  key: { group_id: 'text', queue: 'text', at: 'timestamptz' },
  columns: COUNTS,
} as const satisfies Table;

const workers = {
  name: 'failure_group_workers',
  key: { group_id: 'text', queue: 'text', worker: 'text' },
  columns: { attempts: 'bigint', ...TIMES },
} as const satisfies Table;

const failedTasks = {
  name: 'failed_tasks',
  key: { task_id: 'uuid' },
  columns: { group_id: 'text', queue: 'text', failed_position: 'bigint', failing: 'int' },
} as const satisfies Table;

const builds = {
  name: 'worker_builds',
  key: { queue: 'text', worker: 'text', build: 'text' },
  columns: TIMES,
} as const satisfies Table;

type Type = FailureGroupEvent['type'] | MovingTaskEventType;

/** Whether somebody must do something about a task in this state, because it failed. */
const isFailing = (state: TaskStatus): boolean => state === 'failed' || state === 'undecided';

/** A task that is failed stops to be so, or an undo makes it so again. */
const moved = ({ event, stream }: Occurrence<TaskEvent>): readonly RowChange[] => {
  const move = stateMove(event);
  if (move === null || move.from === null || isReserved(event.data.queue)) return [];
  if (isFailing(move.from) === isFailing(move.to)) return [];
  return [increment(failedTasks, { task_id: taskIdOf(stream) }, { latest: { failing: Number(isFailing(move.to)) } })];
};

/**
 * The failures of all queues but the service's own, in groups of the same cause: how many attempts and tasks failed, when, of whom,
 * in which group each task failed last, and whether it is failed now. The texts stay in the log. Also which builds each worker ran, because a failure
 * does not say that, and what people said of a group.
 */
export const failureGroupsBy = (groupOf: GroupOf): Projection<Type> => ({
  name: 'failure-groups',
  version: 1,
  tables: [groups, queues, hours, workers, failedTasks, builds],
  project: {
    ...sameRule(LEAVING_SEVERAL, moved),
    ...sameRule(FAILURE_TYPES, failed(groupOf)),
    TaskClaimed: ({ event: { data }, recordedAt: at }) => {
      const { queue, worker, build } = data;
      if (build === undefined || isJob(worker)) return [];
      return [increment(builds, { queue, worker, build }, { least: { first_at: at }, greatest: { last_at: at } })];
    },
    FailureGroupResolved: ({ event: { data } }) =>
      said(data.group, { said_state: 'resolved', said: data, repair: data }),
    FailureGroupIgnored: ({ event: { data } }) => said(data.group, { said_state: 'ignored', said: data }),
    FailureGroupReopened: ({ event: { data } }) => said(data.group, { said_state: 'open', said: data }),
    FailureGroupReturned: ({ event: { data }, recordedAt: at, position }) => {
      const returned = { ...data, at, position: String(position) };
      return said(data.group, { said_state: 'open', said: { at }, returned }, { returns: 1 });
    },
  },
});

/** With the rules that apply if none are configured. */
export const failureGroups = failureGroupsBy(groupBy());

const said = (
  group: string,
  latest: Partial<Record<keyof typeof groups.columns, ColumnValue>>,
  add: { readonly returns?: number } = {},
): readonly RowChange[] => [increment(groups, { group_id: group }, { latest, add })];

function failed(groupOf: GroupOf): (recorded: Occurrence<FailureEvent>) => readonly RowChange[] {
  return (recorded) => {
    const error = groupedErrorIn(recorded.event);
    return error === null ? [] : changesOf(groupOf(error), error, recorded);
  };
}

function changesOf(
  group: string,
  error: TaskError,
  { event, recordedAt: at, stream, position }: Occurrence<FailureEvent>,
): readonly RowChange[] {
  const { queue } = event.data;
  const [of, task] = [{ group_id: group, queue }, taskIdOf(stream)];
  const times = { least: { first_at: at }, greatest: { last_at: at } };
  // What follows a failed attempt says whether the task is failed.
  const failing = event.type !== 'TaskAttemptFailed';
  const last = { group_id: group, queue, failed_position: String(position), failing: Number(failing) };
  const add = failing ? { tasks: 1 } : { attempts: 1 };
  return [
    increment(groups, { group_id: group }, { ...times, add, latest: { class: error.class } }),
    increment(queues, of, { ...times, add, latest: { last_task: task } }),
    increment(hours, { ...of, at: `${at.slice(0, 13)}:00Z` }, { add }),
    increment(failedTasks, { task_id: task }, { latest: last }),
    ...('worker' in event.data && !isJob(event.data.worker)
      ? [increment(workers, { ...of, worker: event.data.worker }, { ...times, add: { attempts: 1 } })]
      : []),
  ];
}
