import { ApiProperty } from '@nestjs/swagger';
import { ERROR_CLASSES, TASK_STATUSES, type TaskStatus } from '../../domain/task/task.events.js';
import { AnyJson, Choice, Closed, Flag, Instant, Integer, Part, Text, Uuid } from '../input/fields.js';
import { Position } from './answer.fields.js';
import { Limits, QUEUE_NAME } from './limits.js';

@Closed()
export class FollowTokenRequest {
  @Integer({
    min: 1_000,
    max: Limits.followMs,
    optional: true,
    description: 'How long the token is valid, in milliseconds; an hour if absent.',
  })
  expiresInMs?: number;
}

export class FollowToken {
  @ApiProperty({
    type: 'string',
    description: 'Send it as `Authorization: Bearer <token>` with `GET /v1/tasks/{id}/follow`.',
  })
  token!: string;

  @Uuid({})
  task!: string;

  @Instant({})
  expiresAt!: string;
}

/** That something happened to the task, and not what: neither who did it, nor why, nor any data. */
export class FollowedEvent {
  @Position()
  position!: string;

  @ApiProperty({ type: 'string', example: 'TaskClaimed' })
  type!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  recordedAt!: string;
}

/** A failure without its details, which have the stack. */
export class FollowedError {
  @ApiProperty({ type: 'string' })
  message!: string;

  @Choice(ERROR_CLASSES)
  class!: (typeof ERROR_CLASSES)[number];
}

export class FollowedTask {
  @Position({ description: "That of the task's newest event." })
  position!: string;

  @ApiProperty({ type: 'string', enum: ['Followed'] })
  type!: 'Followed';

  @Uuid({})
  task!: string;

  @Text({ max: 100, pattern: QUEUE_NAME, example: 'mail' })
  queue!: string;

  @Choice(TASK_STATUSES)
  state!: TaskStatus;

  @Flag({ description: 'Whether the task has ended, and with it the stream.' })
  ended!: boolean;

  @AnyJson({ description: 'The result that the worker reported with its success; null before.' })
  result!: unknown;

  @Part(() => FollowedError, { nullable: true, description: 'The last failure of a task that has not succeeded.' })
  error!: FollowedError | null;

  @Instant({ nullable: true })
  finishedAt!: string | null;

  @ApiProperty({ type: () => [FollowedEvent], description: 'What happened since the message before, oldest first.' })
  events!: FollowedEvent[];
}
