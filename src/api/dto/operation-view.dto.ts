import { ApiProperty } from '@nestjs/swagger';
import { TASK_STATUSES, type TaskStatus } from '../../domain/task/task.events.js';
import { AnyJson, Choice, Closed, Instant, Text, Uuid } from '../input/fields.js';
import { Count } from './answer.fields.js';
import { OPERATION_COMMANDS } from './bulk-operation.dto.js';
import { FAILURE_GROUP, Limits } from './limits.js';
import { PageQuery } from './query.dto.js';
import { ProgressBar } from './claim.dto.js';

/** What can have been ordered. */
const LISTED_COMMANDS = [...OPERATION_COMMANDS, 'undo'] as const;

@Closed()
export class OperationQuery extends PageQuery {
  @Text({ max: Limits.actor, optional: true, example: 'ann', description: 'Only what this actor ordered.' })
  actor?: string;

  @Choice(LISTED_COMMANDS, { optional: true })
  command?: (typeof LISTED_COMMANDS)[number];

  @Choice(TASK_STATUSES, { optional: true, description: 'The state of the operation: a paused one is `held`.' })
  state?: TaskStatus;

  @Instant({ optional: true, description: 'Only what was ordered from this time on.' })
  since?: string;

  @Instant({ optional: true, description: 'Only what was ordered up to this time.' })
  until?: string;
}

/** A command that somebody gave to many tasks. */
export class OperationView {
  @Uuid({ description: 'Of the operation, which is a task: commands for that task pause, resume and abort it.' })
  id!: string;

  @Choice(TASK_STATUSES, { description: 'A paused operation is `held`.' })
  state!: TaskStatus;

  @Text({ max: Limits.kind, example: 'retry' })
  command!: string;

  @Text({ max: Limits.actor, description: 'Who ordered it.' })
  by!: string;

  @Text({ max: Limits.reason, nullable: true })
  reason!: string | null;

  @Instant({})
  orderedAt!: string;

  @Instant({ nullable: true, description: 'Null while it has not ended.' })
  finishedAt!: string | null;

  @Count({
    description: 'How many tasks matched when it was ordered. Of an order that is erased: how many were asked.',
  })
  expected!: number;

  @AnyJson({
    description:
      'What was ordered: command, tasks or filter, and options. Null if it is erased, because it named somebody.',
  })
  order!: unknown;

  @ApiProperty({ type: () => [ProgressBar] })
  progress!: ProgressBar[];

  @AnyJson({
    description:
      'How many tasks were asked (`asked`), have the command (`done`) or refused it, by the code of the refusal (`refused`), with `examples`. Also while it is under way and after it was stopped; null before its first tasks.',
  })
  result!: unknown;

  @AnyJson({ description: 'What its canary decided (`goesOn`), and what had become of the tried tasks; else null.' })
  canary!: unknown;

  @Text({ max: Limits.errorMessage, nullable: true, description: 'Why it failed.' })
  error!: string | null;
}

export class FailedGroup {
  @Text({ ...FAILURE_GROUP, description: 'The id of a group of failures.' })
  group!: string;

  @Count({ description: 'How many of the tasks failed in it last.' })
  failed!: number;
}

/** What the tasks that have the command are now. */
export class OperationOutcome {
  @Count()
  succeeded!: number;

  @Count({ description: 'Those that failed, or wait for a decision after they did.' })
  failed!: number;

  @Count()
  open!: number;

  @Count({ description: 'Those that were cancelled, aborted, superseded or deleted.' })
  ended!: number;

  @ApiProperty({
    type: () => [FailedGroup],
    description:
      'The 20 largest groups in which those that failed did so last. The newest failures may not be in their group yet.',
  })
  groups!: FailedGroup[];
}

export class OperationDetails extends OperationView {
  @ApiProperty({
    type: () => OperationOutcome,
    nullable: true,
    description: 'What the tasks that have the command are now; null if none has it, or it is not known which.',
  })
  became!: OperationOutcome | null;
}

export class OperationPage {
  @ApiProperty({ type: () => [OperationView] })
  items!: OperationView[];

  @Text({
    max: Limits.cursor,
    nullable: true,
    description:
      'Null on the last page. A page looks at a bounded number of operations, so one may be empty and others follow.',
  })
  nextCursor!: string | null;
}
