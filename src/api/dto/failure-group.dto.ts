import { ApiProperty } from '@nestjs/swagger';
import { FAILURE_GROUP_STATUSES, type FailureGroupStatus } from '../../domain/failure-group/failure-group.events.js';
import { ERROR_CLASSES, type ErrorClass } from '../../domain/task/task.events.js';
import { MOST_FAILED_NOW } from '../../projections/failure-groups/failure-group-rows.js';
import { GROUP_ORDERS, type GroupOrder } from '../../projections/failure-groups/list-failure-groups.query.js';
import { Choice, Closed, Instant, Part, Text, Uuid } from '../input/fields.js';
import { AsOf } from './past.dto.js';
import { Count } from './answer.fields.js';
import { FAILURE_GROUP, Limits, QUEUE_NAME } from './limits.js';
import { PastPageQuery, PastQuery } from './query.dto.js';
import { ReasonRequest } from './reason.dto.js';

const Queue = () =>
  Text({ max: 100, pattern: QUEUE_NAME, optional: true, description: 'Only failures of tasks of this queue.' });

@Closed()
export class FailureGroupListQuery extends PastPageQuery {
  @Queue()
  queue?: string;

  @Choice(FAILURE_GROUP_STATUSES, { optional: true })
  state?: FailureGroupStatus;

  @Choice(ERROR_CLASSES, { optional: true })
  class?: ErrorClass;

  @Choice(GROUP_ORDERS, {
    optional: true,
    description:
      '`latest`: what was seen last comes first (the default); `most`: what most tasks or attempts failed with.',
  })
  order?: GroupOrder;
}

@Closed()
export class FailureGroupQuery extends PastQuery {
  @Queue()
  queue?: string;
}

@Closed()
export class ResolveFailureGroupRequest extends ReasonRequest {
  @Text({
    max: Limits.build,
    optional: true,
    example: 'b7f3',
    description:
      'The build of the workers that repaired the cause. Attempts of builds that began before it may still fail like this.',
  })
  build?: string;

  @Uuid({ optional: true, description: 'The id of the operation that repaired the cause.' })
  operation?: string;
}

export class FailureGroupSummary {
  @Text({ ...FAILURE_GROUP })
  id!: string;

  @Choice(FAILURE_GROUP_STATUSES)
  state!: FailureGroupStatus;

  @Choice(ERROR_CLASSES)
  class!: ErrorClass;

  @Text({ max: Limits.errorMessage, nullable: true, description: 'The newest message; null if it was erased.' })
  message!: string | null;

  @Text({
    max: Limits.errorMessage,
    nullable: true,
    example: 'ETIMEDOUT: connect … (db-3) after … ms',
    description:
      'The newest message that can be read, with `…` for the ids and numbers in which tasks of the group differ, as far as the 5 newest of those that are failed tell, or the 3 newest if none is, and as of a moment for all; null if none can be read.',
  })
  title!: string | null;

  @Count({ description: 'How often a task failed like this, or had to wait for a decision.' })
  failedTasks!: number;

  @Count({
    nullable: true,
    description: `How many tasks are failed with it now, or wait for a decision: ${MOST_FAILED_NOW} stands for so many or more. Null as of a moment.`,
  })
  failedNow!: number | null;

  @Count({ description: 'How often an attempt failed like this, also if the task was retried by itself.' })
  failedAttempts!: number;

  @Instant({})
  firstSeenAt!: string;

  @Instant({})
  lastSeenAt!: string;

  @ApiProperty({ type: [String], description: 'The queues with such failures, by name.' })
  queues!: readonly string[];

  @Count({ description: 'How often it came back after it was resolved.' })
  returns!: number;

  @Uuid({ description: 'The task that failed like this last.' })
  lastTask!: string;
}

export class FailureGroupList {
  @ApiProperty({ type: () => [FailureGroupSummary] })
  items!: FailureGroupSummary[];

  @Text({ max: Limits.cursor, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;

  @Part(() => AsOf, { optional: true, description: 'Present if the list is as of a moment.' })
  asOf?: AsOf;
}

export class SaidOfFailureGroup {
  @Text({ max: Limits.actor })
  by!: string;

  @Instant({})
  at!: string;

  @Text({ max: Limits.reason, nullable: true })
  reason!: string | null;
}

export class RepairOfFailureGroup extends SaidOfFailureGroup {
  @Text({ max: Limits.build, nullable: true })
  build!: string | null;

  @Uuid({ nullable: true, description: 'The id of an operation.' })
  operation!: string | null;
}

export class FailureGroupReturn {
  @Instant({})
  at!: string;

  @Uuid({})
  task!: string;

  @Text({ max: 100, pattern: QUEUE_NAME })
  queue!: string;
}

export class FailuresAt {
  @Instant({ description: 'When the hour or the minute began.' })
  at!: string;

  @Count()
  failedTasks!: number;

  @Count()
  failedAttempts!: number;
}

export class FailureExample {
  @Uuid({})
  task!: string;

  @Text({ max: 100, pattern: QUEUE_NAME })
  queue!: string;

  @Text({ max: Limits.kind })
  kind!: string;
}

export class FailureShare {
  @Text({ max: 200 })
  name!: string;

  @Count()
  count!: number;
}

export class PrecedingBuild {
  @Text({ max: 100, pattern: QUEUE_NAME })
  queue!: string;

  @Text({ max: Limits.build })
  build!: string;

  @Instant({})
  at!: string;
}

export class PrecedingPolicy {
  @Text({ max: 100, pattern: QUEUE_NAME })
  queue!: string;

  @Count()
  version!: number;

  @Text({ max: Limits.actor })
  by!: string;

  @Instant({})
  at!: string;
}

export class PrecedingOperation {
  @Uuid({})
  id!: string;

  @Text({ max: Limits.kind, example: 'retry' })
  command!: string;

  @Text({ max: Limits.actor })
  by!: string;

  @Instant({})
  at!: string;
}

export class PrecedingChanges {
  @Part(() => PrecedingBuild, { nullable: true, description: 'The build whose workers began last.' })
  build!: PrecedingBuild | null;

  @Part(() => PrecedingPolicy, { nullable: true, description: 'The version of a policy that was set last.' })
  policy!: PrecedingPolicy | null;

  @Part(() => PrecedingOperation, {
    nullable: true,
    description: 'The operation for these queues, or for any, that was ordered last.',
  })
  operation!: PrecedingOperation | null;
}

export class FailureGroupView extends FailureGroupSummary {
  @Text({ max: 400, nullable: true, description: 'Where the newest error was thrown, if its stack says so.' })
  frame!: string | null;

  @Part(() => SaidOfFailureGroup, {
    nullable: true,
    description: 'Who resolved, ignored or reopened it last; null if nobody did, or it came back since.',
  })
  said!: SaidOfFailureGroup | null;

  @Part(() => RepairOfFailureGroup, { nullable: true, description: 'What repaired it last.' })
  lastRepair!: RepairOfFailureGroup | null;

  @Part(() => FailureGroupReturn, { nullable: true, description: 'When it came back last after it was resolved.' })
  returned!: FailureGroupReturn | null;

  @ApiProperty({
    type: () => [FailuresAt],
    description: 'The last 168 hours in which it was seen, the newest first. They are kept for 90 days.',
  })
  hours!: readonly FailuresAt[];

  @ApiProperty({
    type: () => [FailuresAt],
    nullable: true,
    description:
      'The minutes in which it was seen, the newest first; null if it was seen for more than 180 minutes, or more than 5,000 failures of any group lie between its first and its last.',
  })
  minutes!: readonly FailuresAt[] | null;

  @ApiProperty({
    type: () => [FailureExample],
    description: 'The 5 newest tasks of which this was the last failure, the newest first.',
  })
  examples!: readonly FailureExample[];

  @ApiProperty({
    type: () => [FailureShare],
    description: 'The kinds of the newest 1,000 tasks of which this was the last failure.',
  })
  kinds!: readonly FailureShare[];

  @ApiProperty({
    type: () => [FailureShare],
    description: 'The 20 workers whose attempts failed like this most often.',
  })
  workers!: readonly FailureShare[];

  @Count({ description: 'How many such workers there are.' })
  workerCount!: number;

  @ApiProperty({
    type: [String],
    description: 'The 20 newest builds that these workers ran between their first and their last such failure.',
  })
  builds!: readonly string[];

  @Part(() => PrecedingChanges, { description: 'What changed last before it began, or came back.' })
  preceded!: PrecedingChanges;

  @Part(() => AsOf, { optional: true, description: 'Present if the answer is as of a moment.' })
  asOf?: AsOf;
}
