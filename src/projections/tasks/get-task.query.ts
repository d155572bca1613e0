import type { WorkerLabels } from '../../domain/kernel/worker-labels.js';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import { type Json, type JsonObject, sameContent } from '../../domain/kernel/json.js';
import { changedData, firstDataOf } from '../../domain/kernel/changed-data.js';
import { payloadWith } from '../../domain/task/gathered.events.js';
import type {
  Submission,
  TaskError,
  TaskEvent,
  TaskEventOf,
  TaskStatus,
  TaskSucceeded,
} from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { lastGroupIn } from '../kernel/grouped-error.js';
import { Grouping } from '../kernel/grouping.js';
import { EventLog, type Recorded } from '../kernel/event-log.port.js';
import type { ProgressBar } from '../kernel/progress.js';
import { knownTaskRows, readTasks } from './task-rows.js';
import { timesOf, type TaskTimes } from './task-times.js';
import { KnownTaskEntity, type TaskEntity } from './task.entity.js';
import type { TaskSummary } from './task-view.js';
import { type TaskTrace, tracesOf } from './traces.js';

/** What a trigger claimed for a job, as it is now. */
export interface JobItem {
  readonly id: string;
  readonly state: TaskStatus;
}

export interface TaskView extends TaskSummary, TaskTimes {
  /** The current payload, including amendments. */
  readonly payload: Json;
  /** The result that the worker reported with its success. */
  readonly result: Json;
  /** The event within whose work the task was submitted; null if it was none. */
  readonly context: string | null;
  /** The id of an entry in the application's audit log; null if the submitter gave none. */
  readonly auditContext: string | null;
  /** Null if the task does not say itself what it needs of its worker. */
  readonly needs: WorkerLabels | null;
  /** Empty for a task without steps. */
  readonly steps: readonly string[];
  /** What a trigger claimed for the task, which is their job. Empty for any other task. */
  readonly items: readonly JobItem[];
  /** The task for which a trigger claimed this one last; null if its last claim was a worker's. */
  readonly job: string | null;
  /** The failed task that this one runs again; null if it runs none again. */
  readonly rerunOf: string | null;
  /** The copy that runs this task again; null if there is none. */
  readonly rerun: string | null;
  /** What workers and operators have recorded about the task. */
  readonly data: JsonObject;
  /** When the task left the lists by its queue's retention; null if it is in them. */
  readonly archivedAt: string | null;
  /** The group of failures in which it failed last; null if it never has. */
  readonly failureGroup: string | null;
  readonly progress: readonly (ProgressBar & { readonly attempt: number })[];
  readonly traces: readonly TaskTrace[];
}

/** Null if no task has the id. */
export class GetTask extends Query<TaskView | null> {
  constructor(
    readonly id: string,
    /** The id that a copy of a task of a batch has, whether or not there is one. */
    readonly copyOf: (task: string, batch: string) => string,
  ) {
    super();
  }
}

@QueryHandler(GetTask)
export class GetTaskHandler implements IQueryHandler<GetTask> {
  constructor(
    private readonly db: DataSource,
    private readonly log: EventLog,
    private readonly grouping: Grouping,
  ) {}

  async execute({ id, copyOf }: GetTask): Promise<TaskView | null> {
    const [found] = await readTasks(this.rowOf(id));
    if (!found) return null;
    const { summary, progress, row } = found;
    const events = await this.eventsUntil(row);
    const { items, ...content } = contentOf(events);
    return {
      ...summary,
      ...content,
      items: items.length === 0 ? [] : await this.db.query<readonly JobItem[]>(ITEMS, [items]),
      ...timesOf(events as readonly Recorded<TaskEvent>[]),
      error: withDetails(summary.error, events),
      failureGroup: lastGroupIn(events, this.grouping),
      rerun: row.batch === null ? null : await this.known(copyOf(id, row.batch)),
      archivedAt: row.archivedAt?.toISOString() ?? null,
      progress: (progress?.bars ?? []).map((bar) => ({ ...bar, attempt: progress!.attempt })),
      traces: tracesOf(events),
    };
  }

  /** Prepared: Postgres took longer to plan it than to carry it out. */
  private rowOf(id: string): SelectQueryBuilder<KnownTaskEntity> {
    return knownTaskRows(this.db).comment('waybill_task').where('t.taskId = :id', { id });
  }

  private async known(id: string): Promise<string | null> {
    return (await this.db.getRepository(KnownTaskEntity).existsBy({ taskId: id })) ? id : null;
  }

  /** The stream as the row reflects it. Read after the row: a stream that is older would lack the result of a success. */
  private async eventsUntil({ taskId, revision }: TaskEntity): Promise<readonly Recorded[]> {
    const [events] = await this.log.readStreams([taskStream(taskId)]);
    return events!.filter((event) => event.revision <= revision);
  }
}

/** Adds the error's details, which are in the event that first recorded it. */
export function withDetails(error: TaskSummary['error'], events: readonly Recorded[]): TaskView['error'] {
  const told = (events as readonly Recorded<TaskEvent>[]).findLast(({ event }) => errorIn(event) !== null);
  if (error === null || !told) return error;
  const { details, ...same } = errorIn(told.event)!;
  return details !== undefined && sameContent(same, error) ? { ...error, details } : error;
}

function errorIn(event: TaskEvent): TaskError | null {
  if (event.type === 'TaskErrorReported' || event.type === 'TaskAttemptFailed') return event.data.error;
  if (event.type !== 'TaskOverruled' || event.data.verdict !== 'fail') return null;
  const { reason: message, class: errorClass = 'application', result: details } = event.data;
  return { message, class: errorClass, ...(details !== undefined && { details }) };
}

type Content = Pick<
  TaskView,
  'payload' | 'result' | 'context' | 'auditContext' | 'needs' | 'steps' | 'job' | 'rerunOf' | 'data'
> & {
  readonly items: readonly string[];
};

const ITEMS = `select t.task_id as id, t.state from unnest($1::uuid[]) with ordinality as i(id, place)
  join known_tasks t on t.task_id = i.id order by i.place`;

const NONE: Content = {
  payload: null,
  result: null,
  context: null,
  auditContext: null,
  needs: null,
  steps: [],
  items: [],
  job: null,
  rerunOf: null,
  data: {},
};

const isSuccess = (event: TaskEvent): event is TaskSucceeded | TaskEventOf<'TaskOverruled'> =>
  event.type === 'TaskSucceeded' || (event.type === 'TaskOverruled' && event.data.verdict === 'succeed');

/** Reads from the stream what the rows leave out. */
export function contentOf(events: readonly Recorded[]): Content {
  let content = NONE;
  let submission: Submission | null = null;
  for (const { event } of events as readonly Recorded<TaskEvent>[]) {
    if (event.type === 'TaskPrepared' || event.type === 'TaskEnqueued' || event.type === 'TaskEnqueueRejected') {
      const { payload = null, context = null, auditContext = null, needs = null, rerunOf } = event.data;
      const { steps = [], items = [] } = event.data;
      const [original, data] = [rerunOf?.task ?? null, firstDataOf(event.data)];
      content = { ...content, payload, context, auditContext, needs, steps, items, rerunOf: original, data };
      submission = event.data;
    }
    if (event.type === 'TaskClaimed') content = { ...content, job: event.data.job ?? null };
    if (event.type === 'TaskDataRecorded') content = { ...content, data: changedData(content.data, event.data.patch) };
    if (event.type === 'TaskStepCompleted' && event.data.data)
      content = { ...content, data: changedData(content.data, event.data.data) };
    if (event.type === 'TaskPayloadAmended') content = { ...content, payload: event.data.payload };
    if (event.type === 'TaskSubmissionGathered' && submission)
      content = { ...content, payload: payloadWith({ submission, payload: content.payload }, event.data.payload) };
    if (isSuccess(event)) content = { ...content, result: event.data.result ?? null };
  }
  return content;
}
