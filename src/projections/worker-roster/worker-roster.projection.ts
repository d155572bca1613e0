import type { EventDeclaration } from '../../domain/kernel/event-declaration.js';
import { isJob } from '../../domain/task/jobs.events.js';
import {
  type MovingTaskEventType,
  TASK_EVENTS,
  type TaskEventOf,
  type TaskEventType,
} from '../../domain/task/task.events.js';
import type { AnyRule, Occurrence, Projection } from '../kernel/projection.js';
import type { ModelRow } from '../kernel/rows-then.port.js';
import { increment, type RowChange } from '../kernel/row-change.js';
import type { Table } from '../kernel/table.js';

const COLUMNS = {
  server: 'text',
  build: 'text',
  first_seen: 'timestamptz',
  last_seen: 'timestamptz',
  claimed: 'bigint',
  running: 'bigint',
  succeeded: 'bigint',
  failed: 'bigint',
  lost: 'bigint',
  returned: 'bigint',
} as const;

export const workerRosterTable: Table<'worker' | 'queue', keyof typeof COLUMNS> = {
  name: 'worker_roster',
  key: { worker: 'text', queue: 'text' },
  columns: COLUMNS,
};

type OfWorker<T extends TaskEventType> = {
  [One in T]: TaskEventOf<One>['data'] extends { readonly worker: string } ? One : never;
}[T];

/** Those that may change whether the worker has the task, so that each needs a rule. */
type MovingOfWorker = OfWorker<MovingTaskEventType>;

/**
 * Which workers work for which queue, from which server and of which build (as of the latest claim), and with what outcomes. Counts only a
 * worker's own reports, not what others did to its attempts. A job is no worker: who has it is counted with it.
 */
export const workerRoster: Projection<MovingOfWorker | 'TaskAborted' | 'TaskDeleted'> = {
  name: 'worker-roster',
  version: 1,
  needsPrivate: false,
  tables: [workerRosterTable],
  project: {
    ...rulesForReportsInPlace(),
    TaskClaimed: (recorded) => {
      const { server, build } = recorded.event.data;
      return seen(recorded, { claimed: 1, running: 1 }, { server, ...(build !== undefined && { build }) });
    },
    TaskStepCompleted: (recorded) => seen(recorded, recorded.event.data.then === 'offer' ? { running: -1 } : {}),
    TaskAttemptFailed: (recorded) => seen(recorded, { running: -1, failed: 1 }),
    TaskSucceeded: (recorded) => seen(recorded, { running: -1, succeeded: 1 }),
    TaskReturned: (recorded) => seen(recorded, { running: -1, returned: 1 }),
    TaskWaited: (recorded) => seen(recorded, { running: -1 }),
    TaskCancelConfirmed: (recorded) => seen(recorded, { running: -1 }),
    TaskLeaseExpired: ({ event }) => counted(event.data, { running: -1, lost: 1 }),
    TaskOverruled: ({ event }) => counted(event.data, { running: -1 }),
    TaskAborted: ({ event }) => counted(event.data, { running: -1 }),
    TaskDeleted: ({ event }) => counted(event.data, { running: -1 }),
  },
};

type Counts = { readonly [C in keyof typeof COLUMNS]?: number };

/** A report that changes no state only shows that its worker was there. */
function rulesForReportsInPlace(): Readonly<Record<string, AnyRule>> {
  const declared: Readonly<Record<string, EventDeclaration>> = TASK_EVENTS;
  const types = Object.keys(declared).filter((type) => declared[type]!.byWorker);
  return Object.fromEntries(types.map((type) => [type, (recorded) => seen(recorded as Reported, {})]));
}

type Reported = Occurrence<TaskEventOf<OfWorker<TaskEventType>>>;

/** Where the worker ran, and what. */
interface Ran {
  readonly server: string;
  readonly build?: string;
}

function seen(recorded: Reported, add: Counts, latest?: Ran): readonly RowChange[] {
  const { worker, queue } = recorded.event.data;
  if (isJob(worker)) return [];
  const at = recorded.recordedAt;
  const by = { add, least: { first_seen: at }, greatest: { last_seen: at }, ...(latest && { latest }) };
  return [increment(workerRosterTable, { worker, queue }, by)];
}

/** The worker is absent if the task was not running. */
const counted = ({ worker, queue }: { worker?: string; queue: string }, add: Counts): readonly RowChange[] =>
  worker === undefined || isJob(worker) ? [] : [increment(workerRosterTable, { worker, queue }, { add })];

const REMEMBERED_MS = 7 * 24 * 3_600_000;

/** Whether the row of a worker stays: for a week after it last reported, or while it has tasks. `at`: now. */
export const isRemembered = ({ running, last_seen: seen }: ModelRow, at: number): boolean =>
  Number(running) > 0 || (seen !== null && Date.parse(String(seen)) >= at - REMEMBERED_MS);
