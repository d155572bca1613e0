import { ApiProperty } from '@nestjs/swagger';
import { Limits, QUEUE_NAME } from './limits.js';
import { Choice, Closed, Flag, Instant, Integer, Part, Parts, Text, Texts, Uuid } from '../input/fields.js';
import { AsOf } from './past.dto.js';
import { PolicyChanges, QueuePolicy } from './policy.dto.js';
import { ReasonRequest } from './reason.dto.js';
import { ERROR_CLASSES, type ErrorClass, TASK_STATUSES, type TaskStatus } from '../../domain/task/task.events.js';
import { type Bucket, BUCKETS, MOST_BUCKETS } from '../../projections/queue-history/bucket.js';
import { Position } from './answer.fields.js';
import { Receipt } from './settlement.dto.js';

@Closed()
export class QueueDefinition extends ReasonRequest {
  @Text({ min: 0, max: Limits.description, optional: true, example: 'Outgoing mail' })
  description?: string;

  @Text({
    max: 100,
    optional: true,
    example: 'cluster-tasks',
    description:
      'The preset for fields that `policy` leaves out, for the names of states, and for the commands that the queue offers.',
  })
  preset?: string;

  @Part(() => PolicyChanges, { optional: true, description: 'Fields that you leave out take their defaults.' })
  policy?: PolicyChanges;

  @Flag({
    optional: true,
    description: 'Replace the policy of an existing queue. Otherwise an existing queue stays unchanged.',
  })
  replace?: boolean;
}

@Closed()
export class PauseQueueRequest extends ReasonRequest {
  @Instant({ optional: true, nullable: true, description: 'When the queue resumes by itself.' })
  until?: string | null;
}

export class IntakeView {
  @Flag({})
  open!: boolean;

  @Text({ max: Limits.worker, optional: true })
  by?: string;

  @Text({ max: Limits.reason, optional: true, nullable: true })
  reason?: string | null;
}

/** A failure that paused a queue. */
export class PausingFailure {
  @Uuid({})
  taskId!: string;

  @Choice(ERROR_CLASSES)
  class!: ErrorClass;
}

export class QueueFailure extends PausingFailure {
  @Text({
    min: 0,
    max: Limits.errorMessage,
    nullable: true,
    description: 'The newest error of the task. null once the task is retried.',
  })
  message!: string | null;
}

class Pause {
  @Text({ max: Limits.worker })
  by!: string;

  @Text({ max: Limits.reason, nullable: true })
  reason!: string | null;

  @Instant({ nullable: true })
  until!: string | null;
}

/** The pause of a queue that stands, in the answer to its definition. */
export class StandingPause extends Pause {
  @Part(() => PausingFailure, { nullable: true, description: 'The failure that made the policy pause the queue.' })
  failure!: PausingFailure | null;
}

export class PauseView extends Pause {
  @Part(() => QueueFailure, { nullable: true, description: 'The failure that made the policy pause the queue.' })
  failure!: QueueFailure | null;
}

export class QueueView {
  @Text({ max: 100, pattern: QUEUE_NAME, example: 'mail' })
  name!: string;

  @Uuid({ description: 'Follows from the name: a queue that is deleted and defined again keeps it.' })
  id!: string;

  @Flag({ description: "It is one of the service's own (`waybill.*`). Nobody else adds tasks to it." })
  internal!: boolean;

  @Text({ min: 0, max: Limits.description })
  description!: string;

  @Choice(['active', 'paused', 'waiting', 'finished'])
  state!: 'active' | 'paused' | 'waiting' | 'finished';

  @Part(() => IntakeView)
  intake!: IntakeView;

  @Part(() => PauseView, { optional: true })
  pause?: PauseView;

  @Texts({
    items: Limits.waitsFor,
    max: Limits.queue,
    optional: true,
    description: 'While the queue waits: the queues that are not finished yet.',
  })
  waitingFor?: string[];

  @Part(() => QueuePolicy)
  policy!: QueuePolicy;

  @Integer({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'The `ETag` of the policy.' })
  policyVersion!: number;

  @Integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
  revision!: number;

  @Position()
  position!: string;

  @Instant({ description: 'When a queue of this name was first defined.' })
  createdAt!: string;

  @Instant({ description: 'When anything about the queue last changed, except for its tasks.' })
  updatedAt!: string;

  @Part(() => AsOf, { optional: true, description: 'Present if the answer is as of a moment.' })
  asOf?: AsOf;
}

/**
 * What a definition did, and the queue afterwards. The differences tell a program whether the queue is the one it
 * defined.
 */
export class DefinitionReceipt extends Receipt {
  @Choice(['created', 'kept', 'replaced'], { description: '`kept`: the queue existed and is unchanged.' })
  outcome!: 'created' | 'kept' | 'replaced';

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    example: ['leaseMs'],
    description: 'The policy fields, or `description`, in which an existing queue differs from the definition.',
  })
  differences!: string[];

  @Text({ min: 0, max: Limits.description })
  description!: string;

  @Choice(['active', 'paused', 'waiting', 'finished'], { description: 'Only an active queue gives out tasks.' })
  state!: 'active' | 'paused' | 'waiting' | 'finished';

  @Part(() => IntakeView, { description: 'A closed intake accepts no tasks.' })
  intake!: IntakeView;

  @Part(() => StandingPause, { optional: true })
  pause?: StandingPause;

  @Part(() => QueuePolicy, { description: 'The policy in force.' })
  policy!: QueuePolicy;

  @Integer({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'The version of the policy in force; its `ETag`.' })
  policyVersion!: number;
}

export class QueueList {
  @ApiProperty({ type: () => [QueueView] })
  items!: QueueView[];

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Pass it as `cursor` to get the next page; null on the last page.',
  })
  nextCursor!: string | null;

  @Part(() => AsOf, { optional: true, description: 'Present if the list is as of a moment.' })
  asOf?: AsOf;
}

export class DurationStats {
  @Integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
  count!: number;

  @Integer({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'The sum in milliseconds.' })
  total!: number;

  @Integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
  max!: number;
}

/** A count for each of the names. */
const counts = (names: readonly string[]) => ({
  type: 'object' as const,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'integer' as const }])),
});

export class QueueStats {
  @Text({ max: 100, example: 'mail' })
  queue!: string;

  @Flag({ description: "It is one of the service's own queues (`waybill.*`)." })
  internal!: boolean;

  @ApiProperty(counts(TASK_STATUSES))
  counts!: Record<TaskStatus, number>;

  @ApiProperty(counts(ERROR_CLASSES))
  failuresByClass!: Record<ErrorClass, number>;

  @Part(() => DurationStats)
  waitingMs!: DurationStats;

  @Part(() => DurationStats)
  runningMs!: DurationStats;

  @Integer({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    nullable: true,
    description: 'How long the longest-waiting ready task has been ready; null if none is, and as of a moment.',
  })
  oldestWaitingMs!: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'How long the longest running attempt has run; null if none runs, and in lists as of a moment.',
  })
  longestRunMs!: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Open tasks whose deadline has passed. Null in lists as of a moment, and nowhere else.',
  })
  overdue!: number | null;

  @ApiProperty({ type: 'integer', description: 'Tasks that were not done at their deadline.' })
  deadlinesMissed!: number;

  @ApiProperty({
    type: 'integer',
    description:
      'Lost attempts for which no heartbeat came since the claim: the worker ended before its first one, or never got the task. `failuresByClass.lost` counts them too.',
  })
  unheardLosses!: number;

  @Instant({
    nullable: true,
    description: 'When a worker last claimed from the queue, accurate to a few seconds; null if none has for a day.',
  })
  lastPolledAt!: string | null;

  @Flag({
    description:
      'Tasks wait that nobody serves: for a minute no worker has claimed tasks at their step or worked on tasks of the queue, or all have given their kind back as unknown.',
  })
  unattended!: boolean;

  @Position()
  asOfPosition!: string;
}

export class QueueTally {
  @Text({ max: 100, example: 'mail' })
  queue!: string;

  @ApiProperty(counts(TASK_STATUSES))
  counts!: Record<TaskStatus, number>;

  @Part(() => AsOf, { optional: true, description: 'Present if the answer is as of a moment.' })
  asOf?: AsOf;
}

export class SpreadStats extends DurationStats {
  @Integer({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    nullable: true,
    description: 'Estimated from a histogram whose bounds double; null if nothing was counted.',
  })
  median!: number | null;

  @Integer({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    nullable: true,
    description: 'The duration that 95 % do not exceed, estimated like `median`.',
  })
  p95!: number | null;
}

const Count = (description?: string) =>
  Integer({ min: 0, max: Number.MAX_SAFE_INTEGER, ...(description && { description }) });

export class QueueFigures {
  @Count('Tasks that were enqueued or submitted.')
  enqueued!: number;

  @Count()
  claimed!: number;

  @Count()
  succeeded!: number;

  @ApiProperty({ ...counts(ERROR_CLASSES), description: 'Tasks that became failed, by the class of their error.' })
  failed!: Record<ErrorClass, number>;

  @Count('Retries, automatic and by hand.')
  retried!: number;

  @Count('Attempts whose lease expired.')
  lost!: number;

  @Part(() => SpreadStats, { description: 'From the time that a task could be claimed until it was.' })
  waitingMs!: SpreadStats;

  @Part(() => SpreadStats, { description: 'From the claim until the task succeeded or failed.' })
  processingMs!: SpreadStats;

  @Count('The number of pending tasks at the end.')
  backlog!: number;
}

export class QueueBucket extends QueueFigures {
  @Instant({ description: 'When the bucket begins.' })
  at!: string;
}

export class QueueHistory {
  @Choice(BUCKETS, { description: 'The length of each bucket.' })
  bucket!: Bucket;

  @Instant({ description: 'When the first bucket begins.' })
  from!: string;

  @Instant({ description: 'When the last bucket ends.' })
  to!: string;

  @Part(() => QueueFigures, { description: 'The figures of the whole interval.' })
  total!: QueueFigures;

  @Parts(() => QueueBucket, { min: 1, max: MOST_BUCKETS, description: 'All buckets, in order.' })
  buckets!: QueueBucket[];
}

export class QueueStatsDetails extends QueueStats {
  @ApiProperty({ ...counts(ERROR_CLASSES), description: 'The tasks that are failed now, by the class of their error.' })
  failedByClass!: Record<ErrorClass, number>;

  @Part(() => DurationStats, {
    description:
      'Over the tasks that succeeded and those that are failed now, from the last claim (without one: from the submission) to the success or failure.',
  })
  processingMs!: DurationStats;

  @Part(() => QueueHistory, { optional: true, description: 'Present if you ask for figures over time.' })
  history?: QueueHistory;

  @Part(() => AsOf, { optional: true, description: 'Present if the answer is as of a moment.' })
  asOf?: AsOf;
}

export class QueueStatsList {
  @ApiProperty({ type: () => [QueueStats] })
  items!: QueueStats[];

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Pass it as `cursor` to get the next page; null on the last page.',
  })
  nextCursor!: string | null;

  @Part(() => AsOf, { optional: true, description: 'Present if the list is as of a moment.' })
  asOf?: AsOf;
}
