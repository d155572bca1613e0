import { ApiProperty } from '@nestjs/swagger';
import { TASK_STATUSES, type TaskStatus } from '../../domain/task/task.events.js';
import { AnyJson, Choice, Closed, Flag, Instant, Integer, Part, Text, Uuid } from '../input/fields.js';
import { Position } from './answer.fields.js';
import { Limits, QUEUE_NAME } from './limits.js';
import { TaskErrorView } from './task.dto.js';

@Closed()
export class ResultQuery {
  @Integer({
    min: 0,
    max: Limits.waitMs,
    optional: true,
    description: 'How long to wait for the end of the task, in milliseconds; 0 if absent.',
  })
  waitMs?: number;
}

/** What a task waited for, and what that came to. */
export class PrerequisiteResult {
  @Uuid({ optional: true, description: 'Absent if it is outside of the queues of the API key.' })
  id?: string;

  @Choice(['task', 'batch'])
  is!: 'task' | 'batch';

  @ApiProperty({ type: 'string', description: 'A result is there once it is `succeeded`.' })
  state!: string;

  @Text({ max: 100, pattern: QUEUE_NAME, nullable: true, example: 'mail', description: 'Null of a batch.' })
  queue!: string | null;

  @Text({ max: Limits.kind, nullable: true, example: 'task', description: 'Null of a batch.' })
  kind!: string | null;

  @Text({ max: Limits.key, nullable: true })
  key!: string | null;

  @Text({ max: Limits.reference, nullable: true, description: 'Of a batch: its name.' })
  reference!: string | null;

  @AnyJson({ description: 'What the worker of the task reported with its success; null of everything else.' })
  result!: unknown;
}

export class PrerequisiteResultPage {
  @ApiProperty({ type: () => [PrerequisiteResult], description: 'In the order of their ids.' })
  items!: PrerequisiteResult[];

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Pass it as `cursor` to get the next page; null on the last page.',
  })
  nextCursor!: string | null;
}

/** What a task has come to so far. */
export class TaskOutcome {
  @Uuid({})
  task!: string;

  @Text({ max: 100, pattern: QUEUE_NAME, example: 'mail' })
  queue!: string;

  @Choice(TASK_STATUSES)
  state!: TaskStatus;

  @Flag({ description: 'Whether the task has ended. A failed or cancelled task may still be retried by somebody.' })
  ended!: boolean;

  @AnyJson({ description: 'The result that the worker reported with its success; null before.' })
  result!: unknown;

  @Instant({ nullable: true })
  finishedAt!: string | null;

  @Position({ description: "That of the task's newest event." })
  position!: string;
}

export class TaskResult extends TaskOutcome {
  @Part(() => TaskErrorView, { nullable: true, description: 'The last failure of a task that has not succeeded.' })
  error!: TaskErrorView | null;
}
