import { ApiProperty } from '@nestjs/swagger';
import { BATCH_STATUSES, type BatchStatus } from '../../domain/batch/batch.events.js';
import {
  BATCH_PHASES,
  type BatchPhase,
  OFFERABLE_BATCH_COMMANDS,
  type OfferableBatchCommand,
  RERUN_REPORTING,
  type RerunReporting,
} from '../../domain/batch/batch.policy.js';
import { OPERATOR_COMMANDS, type OperatorCommandType } from '../../application/tasks/offers.js';
import { TASK_STATUSES, type TaskStatus } from '../../domain/task/task.events.js';
import { AnyJson, Choice, Choices, Closed, Flag, Instant, Integer, Part, Text, Uuid } from '../input/fields.js';
import type { WorkerLabels } from '../../domain/kernel/worker-labels.js';
import { Labels, LabelsOfWorkers } from '../input/label-fields.js';
import { Count, Position } from './answer.fields.js';
import { MailTarget, WebhookTarget } from './delivery.dto.js';
import { Limits, QUEUE_NAME } from './limits.js';
import { AsOf } from './past.dto.js';
import { PastPageQuery, PastQuery } from './query.dto.js';
import { ReasonRequest } from './reason.dto.js';
import { SEARCHED_BATCHES } from './search.fields.js';
import { TTL } from './submission.dto.js';

/** Who is told what the batch reports. */
@Closed()
export class ReportTarget {
  @Part(() => MailTarget, { optional: true })
  mail?: MailTarget;

  @Part(() => WebhookTarget, { optional: true })
  webhook?: WebhookTarget;
}

/** The task that plans a batch. It has the batch's labels. */
@Closed()
export class BatchPlan {
  @Text({ max: 100, pattern: QUEUE_NAME, example: 'submissions' })
  queue!: string;

  @Text({
    max: Limits.kind,
    optional: true,
    description: "If absent, the first kind of the queue's policy, or 'task'.",
  })
  kind?: string;

  @Text({ max: Limits.key, optional: true })
  key?: string;

  @Text({ max: Limits.reference, optional: true })
  reference?: string;

  @Integer({ ...Limits.priority, optional: true })
  priority?: number;

  @LabelsOfWorkers({
    optional: true,
    example: { network: 'archive' },
    description:
      'What the task that plans needs of its worker. If absent, the policy of its queue decides, which must look at `needs`: otherwise it is refused (`NEEDS_NOT_TAKEN`).',
  })
  needs?: WorkerLabels;

  @Text({ max: Limits.description, optional: true })
  description?: string;

  @Instant({ optional: true, description: 'The batch is not planned before this time.' })
  dueAt?: string;

  @Instant({ optional: true, description: 'From this time on, no worker gets the task.' })
  expiresAt?: string;

  @Integer({ ...Limits.ttlMs, optional: true, description: `Instead of \`expiresAt\`: ${TTL}` })
  ttlMs?: number;

  @Instant({ optional: true, description: 'When the plan should be done.' })
  deadlineAt?: string;

  @AnyJson({ optional: true, example: { manifest: 'https://example.com/manifest.checkm' } })
  payload?: unknown;
}

@Closed()
export class BatchDefinition extends ReasonRequest {
  @Uuid({
    optional: true,
    description: 'Generated if absent. Repeating a creation with the same id has no further effect.',
  })
  id?: string;

  @Text({ max: Limits.reference, example: 'CAN ingest 4711' })
  name!: string;

  @Text({ max: Limits.description, optional: true })
  description?: string;

  @Labels({ optional: true, example: { customer: 'acme' } })
  labels?: Record<string, string>;

  @Part(() => BatchPlan, {
    optional: true,
    description: 'A task that adds the tasks of the batch and opens it. If absent, the caller does.',
  })
  plan?: BatchPlan;

  @Text({
    max: 100,
    optional: true,
    example: 'repository',
    description: 'The batch preset; if absent, that of the queue of `plan`, or none.',
  })
  preset?: string;

  @Choice(RERUN_REPORTING, {
    optional: true,
    description:
      'How runs of failed tasks are reported: `auto` when all have ended again, `update` when somebody asks for it, `own` each by itself, `rerun-batch` in a batch of their own. If absent, the queue of `plan` or the preset decides.',
  })
  reRunReporting?: RerunReporting;

  @Part(() => ReportTarget, { optional: true, description: 'Who gets each report, as mail, by a webhook, or both.' })
  reportTo?: ReportTarget;
}

@Closed()
export class OpenBatchRequest extends ReasonRequest {
  @Integer({
    min: 0,
    max: 2 ** 31 - 1,
    example: 8,
    description: 'How many tasks the batch must have. If it has another number, nothing is opened.',
  })
  tasks!: number;
}

@Closed()
export class BatchQuery extends PastPageQuery {
  @Text(SEARCHED_BATCHES)
  q?: string;

  @Choice(BATCH_STATUSES, { optional: true })
  state?: (typeof BATCH_STATUSES)[number];
}

@Closed()
export class TaskGraphQuery extends PastQuery {
  @Integer({
    min: 1,
    max: 5_000,
    optional: true,
    description:
      'Over how many steps; with 1, only what the task itself waits for and what waits for it. All if absent.',
  })
  depth?: number;
}

export class BatchView {
  @Uuid({})
  id!: string;

  @Text({ max: Limits.reference })
  name!: string;

  @Text({ max: Limits.description, nullable: true })
  description!: string | null;

  @Labels({})
  labels!: Record<string, string>;

  @Choice(BATCH_STATUSES)
  state!: BatchStatus;

  @Choice(BATCH_PHASES, { description: 'The state and, while a task plans the batch, how far that is.' })
  phase!: BatchPhase;

  @Text({ max: 100, description: "The phase in the words of the batch's preset." })
  stateName!: string;

  @Instant({})
  createdAt!: string;

  @Instant({ nullable: true, description: 'When the batch last ended.' })
  endedAt!: string | null;

  @Uuid({ nullable: true, description: 'The task that plans the batch.' })
  planner!: string | null;

  @Choice(TASK_STATUSES, { nullable: true })
  plannerState!: TaskStatus | null;

  @Text({ max: Limits.errorMessage, nullable: true, description: 'Why the batch could not be planned.' })
  error!: string | null;

  @Text({ max: 100, nullable: true })
  preset!: string | null;

  @Choice(RERUN_REPORTING)
  reRunReporting!: RerunReporting;

  @Part(() => ReportTarget, { nullable: true })
  reportTo!: ReportTarget | null;

  @Uuid({ nullable: true, description: 'The failed batch whose tasks this one runs again.' })
  rerunOf!: string | null;

  @Uuid({ nullable: true, description: 'The batch that runs the failed tasks of this one again.' })
  rerun!: string | null;

  @Count({ description: 'How often it has reported.' })
  reports!: number;

  @Instant({ nullable: true })
  reportedAt!: string | null;

  @Choices(OFFERABLE_BATCH_COMMANDS, { description: 'The commands that it takes now; none as of a moment.' })
  commands!: OfferableBatchCommand[];

  @Count({ description: 'How many tasks the batch has.' })
  total!: number;

  @Count({ description: 'How many of them have not ended.' })
  open!: number;

  @Count()
  succeeded!: number;

  @Count()
  failed!: number;

  @Count()
  aborted!: number;

  @Count()
  deleted!: number;

  @Count()
  revision!: number;

  @Position()
  position!: string;
}

export class BatchPage {
  @ApiProperty({ type: () => [BatchView] })
  items!: BatchView[];

  @Text({ max: Limits.cursor, nullable: true, description: 'Pass it as `cursor` to get the next page.' })
  nextCursor!: string | null;

  @Part(() => AsOf, { optional: true, description: 'Present if the list is as of a moment.' })
  asOf?: AsOf;
}

export class BatchCounts {
  @Count()
  total!: number;

  @Count({ description: 'A superseded task counts as succeeded.' })
  succeeded!: number;

  @Count()
  failed!: number;

  @Count()
  aborted!: number;

  @Count()
  deleted!: number;
}

export class ReportedTask {
  @Uuid({})
  task!: string;

  @Text({ max: 200, optional: true, description: "The task's reference or, without one, its description." })
  name?: string;

  @Choice(TASK_STATUSES)
  state!: TaskStatus;
}

export class ReportedChange extends ReportedTask {
  @Choice(TASK_STATUSES, { optional: true, description: 'Its state in the report before; absent in the first.' })
  from?: TaskStatus;
}

export class ReportDelivery {
  @Uuid({ description: 'The task that delivers the report.' })
  id!: string;

  @Choice(['mail', 'webhook'])
  kind!: 'mail' | 'webhook';

  @Choice(TASK_STATUSES, { nullable: true, description: 'null: it is about to be ordered.' })
  state!: TaskStatus | null;
}

export class BatchReport {
  @Count({ description: 'From 1.' })
  number!: number;

  @Instant({})
  at!: string;

  @Choice(['batch', 'task'], { description: '`task`: one task that was run again after the batch had ended.' })
  about!: 'batch' | 'task';

  @Part(() => BatchCounts, { nullable: true, description: 'null in a report about one task.' })
  counts!: BatchCounts | null;

  @ApiProperty({
    type: () => [ReportedChange],
    description:
      'The first report has all tasks, those that are not complete first; later ones what has changed. 500 at most.',
  })
  changes!: ReportedChange[];

  @Count({ description: 'How many changes are left out.' })
  more!: number;

  @ApiProperty({ type: () => [ReportedTask], description: 'The tasks that are not complete. 500 at most.' })
  incomplete!: ReportedTask[];

  @ApiProperty({ type: () => [ReportDelivery] })
  deliveries!: ReportDelivery[];
}

export class BatchReportPage {
  @ApiProperty({ type: () => [BatchReport] })
  items!: BatchReport[];

  @Text({ max: Limits.cursor, nullable: true, description: 'Pass it as `cursor` to get the next page.' })
  nextCursor!: string | null;

  @Part(() => AsOf, { optional: true, description: 'Present if the list is as of a moment.' })
  asOf?: AsOf;
}

export class OpenTasks {
  @Text({ max: 100 })
  queue!: string;

  @Choice(TASK_STATUSES)
  state!: TaskStatus;

  @Text({ max: 100, description: 'The state in the words of the queue.' })
  stateName!: string;

  @Count()
  tasks!: number;

  @Choices(OPERATOR_COMMANDS, {
    description:
      'The commands with which people end these tasks or let them go on, named as in refusals; none as of a moment.',
  })
  commands!: OperatorCommandType[];
}

export class BatchDetails extends BatchView {
  @ApiProperty({
    type: () => [OpenTasks],
    description:
      'The tasks for which the batch waits, by queue and state. Also cancelled ones, which may be retried, and the task that plans the batch, until it is opened.',
  })
  openTasks!: OpenTasks[];

  @Part(() => AsOf, { optional: true, description: 'Present if the answer is as of a moment.' })
  asOf?: AsOf;
}

export class BatchTally {
  @Text({ max: 100 })
  queue!: string;

  @Text({ max: Limits.step, nullable: true, description: 'The step that the tasks completed last.' })
  step!: string | null;

  @Choice(TASK_STATUSES)
  state!: TaskStatus;

  @Text({ max: 100, description: 'The state in the words of the queue.' })
  stateName!: string;

  @Count()
  tasks!: number;
}

export class BatchTallyList {
  @ApiProperty({ type: () => [BatchTally] })
  items!: BatchTally[];

  @Part(() => AsOf, { optional: true, description: 'Present if the answer is as of a moment.' })
  asOf?: AsOf;
}

export class GraphNode {
  @Text({ max: 300, description: 'The id of the task or batch, or a name for a fold.' })
  id!: string;

  @Count({ description: '0: needs nothing of the graph. Otherwise one more than the highest level that it needs.' })
  level!: number;

  @Choice(['task', 'batch', 'fold'], {
    description: '`fold`: several tasks of one level, queue and state, in a graph of more than 150 nodes.',
  })
  kind!: 'task' | 'batch' | 'fold';

  @Text({ max: Limits.reference })
  title!: string;

  @Text({ max: 100, nullable: true, description: 'null for a batch.' })
  queue!: string | null;

  @Text({ max: 100 })
  state!: string;

  @Flag({ description: 'Whether it waits for others.' })
  blocked!: boolean;

  @Count({ required: false, description: 'How far a running task is, in percent, if it has reported.' })
  percent?: number;

  @Count({ required: false, description: 'How many tasks a fold stands for.' })
  count?: number;
}

export class GraphEdge {
  @Text({ max: 300, description: 'The prerequisite.' })
  from!: string;

  @Text({ max: 300, description: 'What waits for it.' })
  to!: string;

  @Flag({ description: 'Whether an abort of the prerequisite counts as done.' })
  ignore!: boolean;

  @Flag({ description: 'Whether the prerequisite is done.' })
  closed!: boolean;
}

export class TaskGraph {
  @ApiProperty({ type: () => [GraphNode] })
  nodes!: GraphNode[];

  @ApiProperty({ type: () => [GraphEdge] })
  edges!: GraphEdge[];

  @ApiProperty({
    type: [String],
    description: 'The ids from a blocked task to what keeps it from running; empty if nothing is blocked.',
  })
  cause!: string[];

  @Count({ description: 'The number of tasks and batches.' })
  total!: number;

  @Flag({ description: 'Whether tasks of the same level, queue and state are shown as one.' })
  folded!: boolean;

  @Flag({
    description:
      'Whether there are more than the 5,000 that were read, or than can be shown. As of a moment, also whether there may be more tasks that have stopped waiting since.',
  })
  truncated!: boolean;

  @Part(() => AsOf, { optional: true, description: 'Present if the answer is as of a moment.' })
  asOf?: AsOf;
}
