import { ApiProperty } from '@nestjs/swagger';
import { ERROR_CLASSES, TASK_STATUSES, type TaskStatus } from '../../domain/task/task.events.js';
import type { WorkerLabels } from '../../domain/kernel/worker-labels.js';
import type { WaitingFor } from '../../projections/tasks/task-view.js';
import { AnyJson, AnyObject, Choice, Flag, Instant, Integer, Part, Text, Uuid } from '../input/fields.js';
import { Labels, LabelsOfWorkers } from '../input/label-fields.js';
import { ProgressBar } from './claim.dto.js';
import { Count, Position } from './answer.fields.js';
import { FAILURE_GROUP, Limits, QUEUE_NAME } from './limits.js';
import { AsOf } from './past.dto.js';

const TASK_ID = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';

export class TaskErrorView {
  @ApiProperty({ type: 'string' })
  message!: string;

  @Choice(ERROR_CLASSES)
  class!: (typeof ERROR_CLASSES)[number];

  @AnyJson({ optional: true })
  details?: unknown;
}

const WAITING_FOR = [
  'worker',
  'prerequisites',
  'due',
  'key',
  'draining',
  'queue-paused',
  'queue-waiting',
  'queue-finished',
];

export class TaskSummary {
  @Uuid({ example: TASK_ID })
  id!: string;

  @Text({ max: 100, pattern: QUEUE_NAME, example: 'mail' })
  queue!: string;

  @Choice(TASK_STATUSES)
  state!: TaskStatus;

  @Text({
    max: 100,
    example: 'WAITING',
    description: "The queue's name for the state; the same as `state` without a preset.",
  })
  stateName!: string;

  @Choice(WAITING_FOR, { nullable: true, description: 'What a pending task waits for.' })
  waitingFor!: WaitingFor | null;

  @Text({ max: Limits.kind, example: 'task' })
  kind!: string;

  @Text({ max: Limits.key, nullable: true })
  key!: string | null;

  @Text({ max: Limits.reference, nullable: true })
  reference!: string | null;

  @Integer({ ...Limits.priority, example: 0 })
  priority!: number;

  @Labels({ example: { customer: 'acme' } })
  labels!: Record<string, string>;

  @Text({ min: 0, max: Limits.description, nullable: true })
  description!: string | null;

  @Instant({ nullable: true })
  dueAt!: string | null;

  @Instant({ nullable: true, description: 'From when on no worker gets the task: if it still waits, it fails.' })
  expiresAt!: string | null;

  @Instant({ nullable: true, description: 'When the task should be done.' })
  deadlineAt!: string | null;

  @Flag({ description: 'Whether the task was not done at its deadline.' })
  deadlineMissed!: boolean;

  @Instant({
    nullable: true,
    description: 'When the running attempt ends at the latest, by the policy; null if nothing limits it, or none runs.',
  })
  runUntil!: string | null;

  @Instant({ nullable: true })
  enqueuedAt!: string | null;

  @Instant({ description: 'From when on the task may run: its due time, or the time of its submission.' })
  scheduledFor!: string;

  @Instant({ nullable: true })
  startedAt!: string | null;

  @Instant({ nullable: true })
  finishedAt!: string | null;

  @Count()
  attempt!: number;

  @Count()
  retries!: number;

  @Text({ max: Limits.worker, nullable: true })
  worker!: string | null;

  @Text({ max: Limits.step, nullable: true, description: 'The last step that succeeded.' })
  lastStep!: string | null;

  @Text({
    max: Limits.step,
    nullable: true,
    description: 'The step that the task is in; null before it was first claimed or released, and after its last step.',
  })
  step!: string | null;

  @Integer({ min: 0, max: 100, nullable: true, description: 'How far the current or last attempt is, if it reported.' })
  percent!: number | null;

  @Uuid({ nullable: true, description: 'The batch that the task is part of.' })
  batch!: string | null;

  @Instant({ nullable: true, description: 'When the worker of a running task claimed it or last extended its lease.' })
  lastHeartbeatAt!: string | null;

  @Part(() => TaskErrorView, { nullable: true })
  error!: TaskErrorView | null;

  @Count()
  revision!: number;

  @Position()
  position!: string;
}

export class TaskProgressBar extends ProgressBar {
  @ApiProperty({ type: 'integer', description: 'The attempt that reported it.' })
  attempt!: number;
}

export class JobItem {
  @Uuid({})
  id!: string;

  @Choice(TASK_STATUSES)
  state!: TaskStatus;
}

export class PayloadOutside {
  @ApiProperty({ type: 'string', description: 'The SHA-256 of its JSON text, in hex.' })
  sha256!: string;

  @Count()
  bytes!: number;

  @ApiProperty({ type: 'string', format: 'date', description: 'The day, in UTC, on which it was stored.' })
  day!: string;
}

export class TaskPayload {
  @AnyJson({ description: 'The current payload, including amendments.' })
  payload!: unknown;

  @Part(() => AsOf, { optional: true })
  asOf?: AsOf;
}

export class TaskTrace {
  @ApiProperty({ type: 'string', example: '4bf92f3577b34da6a3ce929d0e0e4736' })
  traceId!: string;

  @Count({ nullable: true, description: 'From 1; null for the submission.' })
  attempt!: number | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Where it is shown, if `WAYBILL_TRACE_URL` says so.' })
  url!: string | null;
}

export class TaskDetails extends TaskSummary {
  @Instant({ description: 'When the task last changed.' })
  updatedAt!: string;

  @Instant({
    nullable: true,
    description: 'When the task last stopped running; null if it has not run, or runs for the first time.',
  })
  endedAt!: string | null;

  @Instant({
    nullable: true,
    description: "When the task left the lists by its queue's retention; null if it is in them.",
  })
  archivedAt!: string | null;

  @AnyJson({ description: 'The current payload, including amendments; null if it is stored outside the log.' })
  payload!: unknown;

  @Part(() => PayloadOutside, {
    optional: true,
    description: 'Present if the payload is stored outside the log: `GET /v1/tasks/{id}/payload` reads it.',
  })
  payloadOutside?: PayloadOutside;

  @AnyJson({ description: 'The result that the worker reported with its success; null before.' })
  result!: unknown;

  @Uuid({
    nullable: true,
    description: 'The id of the event within whose work the task was submitted, such as a claim.',
  })
  context!: string | null;

  @Text({ max: Limits.reference, nullable: true, description: "The id of an entry in the submitter's own audit log." })
  auditContext!: string | null;

  @LabelsOfWorkers({
    nullable: true,
    example: { gpu: true },
    description: 'What the task itself says that it needs of its worker; null if the policy of its queue decides.',
  })
  needs!: WorkerLabels | null;

  @ApiProperty({ type: 'array', items: { type: 'string' }, description: 'Empty for a task without steps.' })
  steps!: string[];

  @ApiProperty({
    type: () => [JobItem],
    description: 'What a trigger claimed for the task, which is their job. Empty for any other task.',
  })
  items!: JobItem[];

  @Uuid({
    nullable: true,
    description: "The job for which a trigger claimed the task last; null if its last claim was a worker's.",
  })
  job!: string | null;

  @Uuid({ nullable: true, description: 'The failed task that this one runs again; null if it runs none again.' })
  rerunOf!: string | null;

  @Uuid({ nullable: true, description: 'The copy that runs this task again, in another batch; null if there is none.' })
  rerun!: string | null;

  @Text({
    ...FAILURE_GROUP,
    nullable: true,
    description: 'The group of failures in which it failed last; null if it has not, or is a task of the service.',
  })
  failureGroup!: string | null;

  @AnyObject({ description: 'What workers and operators have recorded about the task.' })
  data!: Record<string, unknown>;

  @ApiProperty({ type: () => [TaskProgressBar], description: "The worker's last report, kept after the attempt." })
  progress!: TaskProgressBar[];

  @ApiProperty({
    type: () => [TaskTrace],
    description: 'The traces within which the task was submitted and its last attempts ran; empty if nobody traced.',
  })
  traces!: TaskTrace[];

  @Part(() => AsOf, { optional: true, description: 'Present if the answer is as of a moment.' })
  asOf?: AsOf;
}

export class TaskPage {
  @ApiProperty({ type: () => [TaskSummary] })
  items!: TaskSummary[];

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Pass it as `cursor` to get the next page; null on the last page.',
  })
  nextCursor!: string | null;

  @Part(() => AsOf, { optional: true, description: 'Present if the list is as of a moment.' })
  asOf?: AsOf;
}
