import { ApiProperty } from '@nestjs/swagger';
import { Choice, Closed, Flag, Instant, Part, Text } from '../input/fields.js';
import { Labels } from '../input/label-fields.js';
import { Count, Position } from './answer.fields.js';
import { Limits, QUEUE_NAME } from './limits.js';
import { AsOf } from './past.dto.js';

@Closed()
export class HoldDefinition {
  @Labels({ min: 1, example: { collection: '7' }, description: 'A task that has all of these labels is caught.' })
  labels!: Record<string, string>;

  @Text({ max: Limits.reason, optional: true, example: 'The rights are being cleared' })
  reason?: string;

  @Flag({
    optional: true,
    description:
      '`true`: it is a legal hold. Its tasks are given out as ever, but what they were about cannot be erased until it is lifted.',
  })
  forbidsErasure?: boolean;
}

export class HoldView {
  @Text({ max: 100, pattern: QUEUE_NAME, example: 'collection-7' })
  name!: string;

  @Choice(['placed', 'lifted'])
  state!: 'placed' | 'lifted';

  @Labels({})
  labels!: Record<string, string>;

  @Text({ max: Limits.reason, nullable: true })
  reason!: string | null;

  @Text({ max: Limits.actor })
  placedBy!: string;

  @Instant({})
  placedAt!: string;

  @Text({ max: Limits.actor, nullable: true })
  liftedBy!: string | null;

  @Instant({ nullable: true })
  liftedAt!: string | null;

  @Count({
    nullable: true,
    description: 'How many tasks it caught that are still held, counted up to 10,000; null as of a moment.',
  })
  holds!: number | null;

  @Flag({
    description: 'Whether it is a legal hold, which catches no task and forbids to erase what its tasks were about.',
  })
  forbidsErasure!: boolean;

  @Count()
  revision!: number;

  @Position()
  position!: string;

  @Part(() => AsOf, { optional: true, description: 'Present if the answer is as of a moment.' })
  asOf?: AsOf;
}

export class HoldList {
  @ApiProperty({ type: () => [HoldView] })
  items!: HoldView[];

  @Text({ max: Limits.cursor, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;

  @Part(() => AsOf, { optional: true, description: 'Present if the list is as of a moment.' })
  asOf?: AsOf;
}
