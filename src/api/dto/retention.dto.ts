import { ApiProperty } from '@nestjs/swagger';
import { ARCHIVABLE_STATES, type ArchivableState } from '../../domain/queue/retention.policy.js';
import { Choice, Closed, Flag, Instant, Integer, Text } from '../input/fields.js';
import { Count } from './answer.fields.js';
import { DAYS_KEPT, QUEUE_NAME } from './limits.js';
import { ReadQuery } from './query.dto.js';

/** Without days, the policy of the queue counts. */
@Closed()
export class RetentionQuery extends ReadQuery {
  @Integer({ ...DAYS_KEPT, optional: true, example: 30 })
  succeeded?: number;

  @Integer({ ...DAYS_KEPT, optional: true })
  failed?: number;

  @Integer({ ...DAYS_KEPT, optional: true })
  cancelled?: number;

  @Integer({ ...DAYS_KEPT, optional: true })
  aborted?: number;

  @Integer({ ...DAYS_KEPT, optional: true })
  superseded?: number;

  @Integer({ ...DAYS_KEPT, optional: true })
  deleted?: number;
}

export class LeavingTasks {
  @Choice(ARCHIVABLE_STATES)
  state!: ArchivableState;

  @Count({ description: 'How many days after their end the tasks leave the lists.' })
  days!: number;

  @Count({ description: 'How many tasks would leave now.' })
  tasks!: number;

  @Instant({ nullable: true, description: 'When the first of them ended; null if there is none.' })
  oldestEndedAt!: string | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    description: 'The ids of those that ended first.',
  })
  first!: string[];
}

export class RetentionView {
  @Text({ max: 100, pattern: QUEUE_NAME, example: 'mail' })
  queue!: string;

  @Count({ description: 'How many tasks of the queue are in the archive.' })
  archived!: number;

  @Instant({ nullable: true, description: 'When the tasks were last looked through; null: not yet.' })
  lastPassAt!: string | null;

  @ApiProperty({ type: () => [LeavingTasks], description: 'One element for each state with a number of days.' })
  states!: LeavingTasks[];

  @Flag({ description: 'Whether more tasks would leave than were counted, which is up to 1,000,000.' })
  more!: boolean;
}
