import { ApiProperty } from '@nestjs/swagger';
import { Choice, Closed, Decimal, Flag, Instant, Integer, Part, Text } from '../input/fields.js';
import { Count, Position } from './answer.fields.js';
import { Limits, QUEUE_NAME } from './limits.js';
import { AsOf } from './past.dto.js';

const VALUES = { min: -1e15, max: 1e15 } as const;
const STALE_AFTER = 60;

@Closed()
export class ResourceDefinition {
  @Text({ min: 0, max: Limits.description, optional: true, example: 'Where downloads are kept until they are stored' })
  description?: string;

  @Text({ max: 20, optional: true, nullable: true, example: '%', description: 'What the gauge counts, for people.' })
  unit?: string | null;

  @Integer({
    min: 1,
    max: 86_400,
    optional: true,
    description:
      'A measure that is older than this many seconds says nothing: the resource is short then. 60 by default.',
  })
  staleAfterSeconds?: number;

  @Text({ max: Limits.reason, optional: true, example: 'Downloads filled the disk' })
  reason?: string;
}

export const definitionOf = ({ description, unit, staleAfterSeconds }: ResourceDefinition) => ({
  description: description ?? '',
  unit: unit ?? null,
  staleAfterSeconds: staleAfterSeconds ?? STALE_AFTER,
});

@Closed()
export class Measure {
  @Decimal({ ...VALUES, example: 71.5, description: 'What the gauge shows now.' })
  value!: number;
}

export class MeasureResult {
  @Text({ max: 100, pattern: QUEUE_NAME })
  resource!: string;

  @Decimal(VALUES)
  value!: number;

  @Instant({})
  measuredAt!: string;

  @ApiProperty({
    type: [Number],
    description: 'The limits, of the steps that need the resource, that it is not below.',
  })
  unmet!: number[];
}

export class ResourceNeed {
  @Text({ max: 100, pattern: QUEUE_NAME })
  queue!: string;

  @Text({ max: 100 })
  step!: string;

  @Decimal({ ...VALUES, description: 'The gauge must be below this.' })
  below!: number;

  @Flag({})
  met!: boolean;

  @Count({ description: 'How many tasks are ready and wait before the step, counted up to 10,000.' })
  waiting!: number;
}

export class ResourceView {
  @Text({ max: 100, pattern: QUEUE_NAME, example: 'working-storage' })
  name!: string;

  @Text({ min: 0, max: Limits.description })
  description!: string;

  @Text({ max: 20, nullable: true })
  unit!: string | null;

  @Count()
  staleAfterSeconds!: number;

  @Choice(['measured', 'stale'], {
    nullable: true,
    description:
      '`stale`: nobody has measured it for too long, or ever, so it is short of every limit. Null as of a moment.',
  })
  state!: 'measured' | 'stale' | null;

  @Decimal({
    ...VALUES,
    nullable: true,
    description:
      'The last measure, however old. As of a moment: the last one that crossed a limit; null if that was too old, or none did.',
  })
  value!: number | null;

  @Instant({ nullable: true })
  measuredAt!: string | null;

  @Text({ max: Limits.actor, nullable: true })
  measuredBy!: string | null;

  @Text({ max: Limits.actor })
  definedBy!: string;

  @Instant({})
  definedAt!: string;

  @ApiProperty({ type: () => [ResourceNeed], description: 'The first 100 steps that need it. Empty as of a moment.' })
  needs!: ResourceNeed[];

  @Count()
  revision!: number;

  @Position()
  position!: string;

  @Part(() => AsOf, { optional: true, description: 'Present if the answer is as of a moment.' })
  asOf?: AsOf;
}

export class ResourceList {
  @ApiProperty({ type: () => [ResourceView] })
  items!: ResourceView[];

  @Text({ max: Limits.cursor, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;

  @Part(() => AsOf, { optional: true, description: 'Present if the list is as of a moment.' })
  asOf?: AsOf;
}
