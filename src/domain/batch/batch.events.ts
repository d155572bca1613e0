import type { IsoTime } from '../kernel/json.js';
import { event, eventInPlace, type EventsOf } from '../kernel/event-declaration.js';
import type { TaskStatus } from '../task/task.events.js';
import type { BatchPolicy, ReportTarget } from './batch.policy.js';

// STORAGE FORMAT. Names, versions and shapes below are permanent: add events or upcasters, never edit them.

/** Every status that a batch can have. */
export const BATCH_STATUSES = [
  'planning',
  'running',
  'completed',
  'failed',
  'reporting',
  'aborted',
  'deleted',
] as const;

export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** How many tasks of a batch have ended, and how. A superseded task counts as succeeded. */
export interface BatchCounts {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly aborted: number;
  readonly deleted: number;
}

/** A task of a batch in a report, by its id only. Its name is in its own stream. */
export interface ReportedTask {
  readonly task: string;
  readonly state: TaskStatus;
}

/** A task whose state a report tells. */
export interface ReportedChange extends ReportedTask {
  /** Its state in the report before. Absent in the first report. */
  readonly from?: TaskStatus;
}

/** What a report says of a batch's tasks, of each kind the first 500. */
export interface ReportContent {
  /** The first report has all tasks, those that are not complete first. A later one has those whose state has changed. */
  readonly changes: readonly ReportedChange[];
  /** How many changes are left out. */
  readonly more: number;
  /** The tasks that are not complete, whether or not they have changed. */
  readonly incomplete: readonly ReportedTask[];
}

interface NamedTask extends ReportedTask {
  readonly name?: string;
}

const nameless = <Task extends ReportedTask>({ name: _quoted, ...task }: Task & NamedTask): Omit<Task, 'name'> => task;

/** Version 1 quoted the references and descriptions of tasks. */
const namelessReport = (data: object): object => {
  const { changes, incomplete } = data as ReportContent;
  return { ...data, changes: changes.map(nameless), incomplete: incomplete.map(nameless) };
};

/** In place of the name of a batch that is erased, and of why its plan failed. */
export const ERASED_NAME = '(erased)';

export const BATCH_EVENTS = {
  BatchCreated: event<{
    readonly batch: string;
    readonly name: string;
    readonly description?: string;
    readonly labels?: Readonly<Record<string, string>>;
    /** The task that adds the batch's tasks and opens it. */
    readonly planner?: string;
    readonly policy?: BatchPolicy;
    readonly reportTo?: ReportTarget;
    /** The failed batch whose tasks this one runs again. */
    readonly rerunOf?: string;
    /** By the database's clock. */
    readonly at: IsoTime;
  }>({
    version: 1,
    effects: [],
    command: 'single',
    private: { name: true, description: true, labels: true, reportTo: true },
  }),
  /** All tasks are there, and may run. */
  BatchOpened: event<{ readonly batch: string; readonly tasks: number }>({
    version: 1,
    effects: ['changes-schedule'],
  }),
  /** Every task has ended, and all but deleted ones succeeded. Or there were none. */
  BatchCompleted: event<{ readonly batch: string; readonly counts: BatchCounts; readonly at: IsoTime }>({
    version: 1,
    effects: ['changes-schedule'],
  }),
  /** Every task has ended, and some did not succeed. */
  BatchFailed: event<{ readonly batch: string; readonly counts: BatchCounts; readonly at: IsoTime }>({
    version: 1,
    effects: [],
  }),
  /** The task that was to add the batch's tasks has ended without success. */
  BatchPlanFailed: event<{ readonly batch: string; readonly error: string; readonly at: IsoTime }>({
    version: 1,
    effects: ['changes-schedule'],
    private: { error: true },
  }),
  /** Somebody wants to know what has changed since the last report, although the batch has failed before. */
  BatchReportRequested: event<{ readonly batch: string; readonly by: string }>({
    version: 1,
    effects: ['changes-schedule'],
    command: 'single',
  }),
  /** The next event in the same append says how the batch ended. */
  BatchReported: eventInPlace<
    {
      readonly batch: string;
      readonly number: number;
      readonly counts: BatchCounts;
      readonly at: IsoTime;
    } & ReportContent,
    2
  >({ version: 2, effects: [], upcasters: { 1: namelessReport } }),
  /** A task that was run again after the batch's end has ended, and is reported by itself. */
  BatchTaskReported: eventInPlace<
    { readonly batch: string; readonly number: number; readonly at: IsoTime } & ReportedTask,
    2
  >({ version: 2, effects: [], upcasters: { 1: (data) => nameless(data as NamedTask) } }),
  /** Another batch runs the tasks again that are not complete. */
  BatchRerun: eventInPlace<{ readonly batch: string; readonly rerun: string; readonly by: string }>({
    version: 1,
    effects: [],
    command: 'single',
  }),
  BatchAborted: event<{ readonly batch: string; readonly at: IsoTime }>({
    version: 1,
    effects: ['changes-schedule'],
    command: 'single',
  }),
  /** From now on the private halves of the batch's events before this one are erased. The erasure is the id of its order. */
  BatchErased: eventInPlace<{ readonly batch: string; readonly erasure: string }>({
    version: 1,
    effects: [],
    command: 'single',
    shared: ['erasure'],
  }),
  BatchDeleted: event<{ readonly batch: string; readonly at: IsoTime }>({
    version: 1,
    effects: ['changes-schedule'],
    command: 'single',
  }),
  /** A fence: takes the place of a reserved append that never arrived. It may be the first event of a stream. */
  BatchReservationAbandoned: eventInPlace<{ readonly reservation: string }>({
    version: 1,
    effects: ['fills-abandoned-place'],
  }),
};

export type BatchEvent = EventsOf<typeof BATCH_EVENTS>;
export type BatchEventOf<T extends BatchEvent['type']> = Extract<BatchEvent, { readonly type: T }>;
