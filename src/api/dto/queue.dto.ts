import { ApiProperty } from '@nestjs/swagger';
import { Limits, QUEUE_NAME } from './limits.js';
import { Choice, Closed, Flag, Instant, Integer, Part, Text, Texts, Uuid } from '../input/fields.js';
import { PolicyChanges, QueuePolicy } from './policy.dto.js';
import { ReasonRequest } from './reason.dto.js';
import { ERROR_CLASSES, type ErrorClass, TASK_STATUSES } from '../../domain/task/task.events.js';
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
    description: 'Whose policy stands where `policy` says nothing, and whose words and commands are the queue’s.',
  })
  preset?: string;

  @Part(() => PolicyChanges, { optional: true, description: 'What is left out takes its default.' })
  policy?: PolicyChanges;

  @Flag({
    optional: true,
    description: 'Change a queue that stands to this definition. Without it that one is kept as it is.',
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

export class QueueFailure {
  @Uuid({})
  taskId!: string;

  @Text({ min: 0, max: Limits.errorMessage })
  message!: string;

  @Choice(ERROR_CLASSES)
  class!: ErrorClass;
}

export class PauseView {
  @Text({ max: Limits.worker })
  by!: string;

  @Text({ max: Limits.reason, nullable: true })
  reason!: string | null;

  @Instant({ nullable: true })
  until!: string | null;

  @Part(() => QueueFailure, { nullable: true, description: 'The failure that paused it, where its policy did.' })
  failure!: QueueFailure | null;
}

export class QueueView {
  @Text({ max: 100, pattern: QUEUE_NAME, example: 'mail' })
  name!: string;

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
    description: 'While it waits: the queues that are not finished yet.',
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
}

/** What became of a definition, and the queue that stands now: a program can tell whether it is the one that it asked for. */
export class DefinitionReceipt extends Receipt {
  @Choice(['created', 'kept', 'replaced'], { description: '`kept`: a queue stood already, and is as it was.' })
  outcome!: 'created' | 'kept' | 'replaced';

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    example: ['leaseMs'],
    description:
      'Where a queue that was kept is other than the definition: fields of the policy, or `description`. ' +
      'Empty where it is as it was asked for.',
  })
  differences!: string[];

  @Text({ min: 0, max: Limits.description })
  description!: string;

  @Choice(['active', 'paused', 'waiting', 'finished'], { description: 'Only an active one gives tasks out.' })
  state!: 'active' | 'paused' | 'waiting' | 'finished';

  @Part(() => IntakeView, { description: 'A closed one takes no tasks in.' })
  intake!: IntakeView;

  @Part(() => PauseView, { optional: true })
  pause?: PauseView;

  @Part(() => QueuePolicy, { description: 'The one that stands.' })
  policy!: QueuePolicy;

  @Integer({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Of the policy that stands; its `ETag`.' })
  policyVersion!: number;
}

export class QueueList {
  @ApiProperty({ type: () => [QueueView] })
  items!: QueueView[];

  @ApiProperty({ type: 'string', nullable: true, description: 'Where the next page begins; null on the last one.' })
  nextCursor!: string | null;
}

export class DurationStats {
  @Integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
  count!: number;

  @Integer({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Milliseconds, summed over all.' })
  total!: number;

  @Integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
  max!: number;
}

/** How often each of the names was counted. */
const counts = (names: readonly string[]) => ({
  type: 'object' as const,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'integer' as const }])),
});

export class QueueStats {
  @Text({ max: 100, example: 'mail' })
  queue!: string;

  @ApiProperty(counts(TASK_STATUSES))
  counts!: Record<string, number>;

  @ApiProperty(counts(ERROR_CLASSES))
  failuresByClass!: Record<string, number>;

  @Part(() => DurationStats)
  waitingMs!: DurationStats;

  @Part(() => DurationStats)
  runningMs!: DurationStats;

  @Integer({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    nullable: true,
    description:
      'For how long the longest waiting of the tasks waits that a worker could take now; null where none does.',
  })
  oldestWaitingMs!: number | null;

  @Instant({
    nullable: true,
    description: 'When a worker last asked for tasks, a few seconds late; null where none has for a day.',
  })
  lastPolledAt!: string | null;

  @Flag({
    description: 'Tasks wait that a worker could take now, and for a minute none has asked for them or worked here.',
  })
  unattended!: boolean;

  @Position()
  asOfPosition!: string;
}

export class QueueStatsList {
  @ApiProperty({ type: () => [QueueStats] })
  items!: QueueStats[];

  @ApiProperty({ type: 'string', nullable: true, description: 'Where the next page begins; null on the last one.' })
  nextCursor!: string | null;
}
