import { ApiProperty } from '@nestjs/swagger';
import { Choice, Closed, Instant, Part, Text, Uuid } from '../input/fields.js';
import { Count, Position } from './answer.fields.js';
import { Limits, QUEUE_NAME } from './limits.js';
import { CronPattern } from './cron.dto.js';
import { Problem } from './problem.dto.js';
import { ReasonRequest } from './reason.dto.js';
import { TaskWork } from './submission.dto.js';

const MISSED = ['each', 'latest', 'skip'] as const;
const MISSED_OCCURRENCES =
  'What becomes of occurrences during which the service was down. `latest`, the default: the last of them makes a task. `each`: each ' +
  'makes one, up to 100. `skip`: none does.';

@Closed()
export class TriggeredTask extends TaskWork {
  @Text({ max: 100, pattern: QUEUE_NAME, example: 'reports' })
  queue!: string;
}

@Closed()
export class TriggerDefinition extends CronPattern {
  @Text({ min: 0, max: Limits.description, optional: true, example: 'The report of the day before' })
  description?: string;

  @Choice(MISSED, { optional: true, description: MISSED_OCCURRENCES })
  missed?: (typeof MISSED)[number];

  @Part(() => TriggeredTask, { description: 'The task that every occurrence makes. Its `dueAt` is the occurrence.' })
  task!: TriggeredTask;

  @Text({ max: Limits.reason, optional: true, description: 'The reason, for the history.' })
  reason?: string;
}

@Closed()
export class FireTriggerRequest extends ReasonRequest {
  @Uuid({
    optional: true,
    description: 'The id of the task; generated if absent. Repeating a request with the same id has no further effect.',
  })
  id?: string;
}

export class TriggerFiring {
  @Instant({ description: 'The time for which the task was made.' })
  occurrence!: string;

  @Uuid({})
  task!: string;

  @Instant({})
  firedAt!: string;
}

export class TriggerFailure {
  @Count({ description: 'How often it failed in a row.' })
  failures!: number;

  @ApiProperty({ type: () => Problem })
  problem!: Problem;

  @Instant({ description: 'When it tries again.' })
  retryAt!: string;
}

export class TriggerView {
  @Text({ max: 100, pattern: QUEUE_NAME, example: 'nightly-report' })
  name!: string;

  @Choice(['enabled', 'disabled'])
  state!: 'enabled' | 'disabled';

  @Text({ min: 0, max: Limits.description })
  description!: string;

  @Text({ max: 100, example: '30 2 * * 1-5' })
  cron!: string;

  @Text({ max: 100, example: 'Europe/Berlin' })
  timeZone!: string;

  @Text({ max: Limits.description, example: 'At 02:30, Monday through Friday', description: 'The pattern in words.' })
  words!: string;

  @Choice(MISSED, { description: MISSED_OCCURRENCES })
  missed!: (typeof MISSED)[number];

  @Part(() => TriggeredTask, {})
  task!: TriggeredTask;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    isArray: true,
    description: 'The next occurrences. Empty while the trigger is disabled.',
  })
  next!: string[];

  @Part(() => TriggerFiring, { nullable: true, description: 'The last task; null if there was none yet.' })
  last!: TriggerFiring | null;

  @Part(() => TriggerFailure, { nullable: true, description: 'Null if the last occurrence made its task.' })
  failure!: TriggerFailure | null;

  @Count()
  revision!: number;

  @Position()
  position!: string;
}

export class TriggerList {
  @ApiProperty({ type: () => [TriggerView] })
  items!: TriggerView[];

  @Text({ max: Limits.cursor, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}
