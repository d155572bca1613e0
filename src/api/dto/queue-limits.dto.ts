import { ApiProperty } from '@nestjs/swagger';
import { Closed, Flag, Instant, Integer, Part, Text } from '../input/fields.js';
import { Count } from './answer.fields.js';
import { Limits } from './limits.js';
import { MAX_COUNT, Rate } from './policy.dto.js';
import { ReasonRequest } from './reason.dto.js';

@Closed()
export class UnsetLimitRequest extends ReasonRequest {
  @Text({
    max: 64,
    example: 'customer',
    description: 'The label whose values the queue limits. A queue limits those of one.',
  })
  label!: string;

  @Text({
    max: 256,
    optional: true,
    example: 'acme',
    description: 'Absent: each value that has no limits of its own, and the tasks without the label.',
  })
  value?: string;
}

@Closed()
export class SetLimitRequest extends UnsetLimitRequest {
  @Integer({
    min: 1,
    max: MAX_COUNT,
    optional: true,
    example: 10,
    description: 'The most tasks of the value that run at once in the whole cluster. Absent: as it is.',
  })
  maxRunning?: number;

  @Part(() => Rate, {
    optional: true,
    description: 'How many tasks of the value may start in a time. Absent: as it is.',
  })
  rate?: Rate;
}

export class LimitedValue {
  @Text({ max: 256, nullable: true, example: 'acme', description: 'Null: the tasks without the label.' })
  value!: string | null;

  @Integer({
    min: 1,
    max: MAX_COUNT,
    optional: true,
    description: 'The most tasks of it that run at once. Absent: no limit.',
  })
  maxRunning?: number;

  @Part(() => Rate, { optional: true, description: 'How many of its tasks may start in a time. Absent: no limit.' })
  rate?: Rate;

  @Flag({ description: 'Whether it has limits of its own. Otherwise it has those of all values.' })
  isOwn!: boolean;

  @Count({ description: 'How many of its tasks run.' })
  running!: number;

  @Instant({
    nullable: true,
    description: 'When the rates of the queue and of the value allow the next start; null: now.',
  })
  nextStartAt!: string | null;
}

export class LimitPage {
  @Text({
    max: 64,
    nullable: true,
    example: 'customer',
    description: 'The label; null: the queue limits the values of none.',
  })
  label!: string | null;

  @Integer({
    min: 1,
    max: MAX_COUNT,
    optional: true,
    description: 'The most tasks that run at once of each value that has no limits of its own. Absent: no limit.',
  })
  maxRunning?: number;

  @Part(() => Rate, { optional: true, description: 'How many of its tasks may start in a time. Absent: no limit.' })
  rate?: Rate;

  @ApiProperty({
    type: () => [LimitedValue],
    description:
      'The values with limits of their own, those of which tasks run, and those of which none may start now. Ordered by value, the tasks without the label first.',
  })
  items!: LimitedValue[];

  @Text({ max: Limits.cursor, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}
