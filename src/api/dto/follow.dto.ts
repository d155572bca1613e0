import { ApiProperty } from '@nestjs/swagger';
import { ERROR_CLASSES } from '../../domain/task/task.events.js';
import { Choice, Closed, Instant, Integer, Part, Uuid } from '../input/fields.js';
import { Position } from './answer.fields.js';
import { Limits } from './limits.js';
import { TaskOutcome } from './result.dto.js';

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

/** A message of the stream, which ends with the task. */
export class FollowedTask extends TaskOutcome {
  @ApiProperty({ type: 'string', enum: ['Followed'] })
  type!: 'Followed';

  @Part(() => FollowedError, { nullable: true, description: 'The last failure of a task that has not succeeded.' })
  error!: FollowedError | null;

  @ApiProperty({ type: () => [FollowedEvent], description: 'What happened since the message before, oldest first.' })
  events!: FollowedEvent[];
}
