import { ApiProperty } from '@nestjs/swagger';
import { ERROR_CLASSES, TASK_STATUSES } from '../../domain/task/task.events.js';
import { AnyJson, Choice, Closed, Flag, Instant, Integer, Labels, Part, Text, Uuid } from '../input/fields.js';
import { Count, Position } from './answer.fields.js';
import { Limits, QUEUE_NAME } from './limits.js';
import { ReasonRequest } from './reason.dto.js';

const TASK_ID = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';

export class TaskErrorView {
  @ApiProperty({ type: 'string' })
  message!: string;

  @Choice(ERROR_CLASSES)
  class!: 'business' | 'application' | 'transient' | 'bug';

  @AnyJson({ optional: true })
  details?: unknown;
}

const WAITING_FOR = ['worker', 'due', 'key', 'queue-paused', 'queue-waiting', 'queue-finished'];

export class TaskSummary {
  @Uuid({ example: TASK_ID })
  id!: string;

  @Text({ max: 100, pattern: QUEUE_NAME, example: 'mail' })
  queue!: string;

  @Choice(TASK_STATUSES)
  state!: string;

  @Text({ max: 100, example: 'WAITING', description: "The state in the words of the queue's preset, if it has one." })
  stateName!: string;

  @Choice(WAITING_FOR, { nullable: true, description: 'Why a pending task is not running.' })
  waitingFor!: string | null;

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

  @Instant({ nullable: true })
  enqueuedAt!: string | null;

  @Instant({ description: 'From when on it may run: its due time, or when it was handed in.' })
  scheduledFor!: string;

  @Instant({ nullable: true })
  startedAt!: string | null;

  @Instant({ nullable: true })
  finishedAt!: string | null;

  @Count()
  attempt!: number;

  @Text({ max: Limits.worker, nullable: true })
  worker!: string | null;

  @Text({ max: Limits.step, nullable: true, description: 'The last step that succeeded.' })
  lastStep!: string | null;

  @Part(() => TaskErrorView, { nullable: true })
  error!: TaskErrorView | null;

  @Count()
  revision!: number;

  @Position()
  position!: string;
}

export class TaskDetails extends TaskSummary {
  @AnyJson({ description: 'As it stands: amendments included.' })
  payload!: unknown;

  @AnyJson({ description: 'What the worker handed over with its success; null before.' })
  result!: unknown;

  @ApiProperty({ type: 'array', items: { type: 'string' }, description: 'Empty for a task without steps.' })
  steps!: string[];
}

export class TaskPage {
  @ApiProperty({ type: () => [TaskSummary] })
  items!: TaskSummary[];

  @ApiProperty({ type: 'string', nullable: true, description: 'Where the next page begins; null on the last one.' })
  nextCursor!: string | null;
}

@Closed()
export class PrioritiseTaskRequest extends ReasonRequest {
  @Integer({ ...Limits.priority, example: 10, description: 'Higher first, then oldest.' })
  priority!: number;
}

@Closed()
export class RescheduleTaskRequest extends ReasonRequest {
  @Instant({ nullable: true, description: 'null: due now.' })
  dueAt!: string | null;
}

@Closed()
export class AmendTaskRequest extends ReasonRequest {
  @AnyJson({ example: { to: 'ann@example.com' } })
  payload!: unknown;
}

@Closed()
export class RetryTaskRequest extends ReasonRequest {
  @Text({ max: Limits.step, optional: true, description: 'Where to begin again; where it failed when absent.' })
  step?: string;

  @Flag({ optional: true, description: 'Needed for a step other than the implied one, and recorded.' })
  override?: boolean;
}

@Closed()
export class DecideTaskRequest extends ReasonRequest {
  @Choice(['retry', 'fail'])
  decision!: 'retry' | 'fail';
}

@Closed()
export class OverruleTaskRequest {
  @Choice(['succeed', 'fail', 'requeue'])
  verdict!: 'succeed' | 'fail' | 'requeue';

  @Text({ max: Limits.reason, example: 'The worker hangs; the mail was sent' })
  reason!: string;
}
