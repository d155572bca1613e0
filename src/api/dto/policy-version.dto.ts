import { ApiProperty } from '@nestjs/swagger';
import { AnyJson, Choice, Closed, Flag, Integer, Part, Text } from '../input/fields.js';
import { Count } from './answer.fields.js';
import { GivenCommand } from './given-command.dto.js';
import { Limits, QUEUE_NAME } from './limits.js';
import { AsOf } from './past.dto.js';
import { QueuePolicy } from './policy.dto.js';
import { ReadQuery } from './query.dto.js';

const MOST_VERSIONS = 2_000_000_000;

/** Who made a version of a policy, when and why. */
export class VersionMade extends GivenCommand {
  @Count({ description: 'From 1. A queue that is deleted and defined again continues the count.' })
  version!: number;
}

export class FieldChange {
  @Text({
    max: 200,
    example: 'retry.maxAttempts',
    description:
      'A field of the policy, or `description`. Members of `retry`, `limits` and `retention` are fields of their own.',
  })
  field!: string;

  @AnyJson({})
  from!: unknown;

  @AnyJson({})
  to!: unknown;
}

export class PolicyVersion extends VersionMade {
  @Choice(['defined', 'changed'], {
    description: '`defined`: the queue was created with it, perhaps anew under its old name.',
  })
  outcome!: 'defined' | 'changed';

  @ApiProperty({
    type: () => [FieldChange],
    description: 'What it changed of the version before; empty if the queue was defined with it.',
  })
  changes!: FieldChange[];

  @Text({ min: 0, max: Limits.description })
  description!: string;

  @Part(() => QueuePolicy)
  policy!: QueuePolicy;
}

export class PolicyVersionPage {
  @ApiProperty({ type: () => [PolicyVersion], description: 'The newest version first.' })
  items!: PolicyVersion[];

  @Text({ max: Limits.cursor, nullable: true, description: 'null on the last page.' })
  nextCursor!: string | null;

  @Part(() => AsOf, { optional: true, description: 'Present if the answer is as of a moment.' })
  asOf?: AsOf;
}

@Closed()
export class PolicyDiffQuery extends ReadQuery {
  @Integer({ min: 1, max: MOST_VERSIONS, example: 6 })
  fromVersion!: number;

  @Integer({ min: 1, max: MOST_VERSIONS, example: 7 })
  toVersion!: number;
}

export class PolicyDiff {
  @Text({ max: 100, pattern: QUEUE_NAME, example: 'mail' })
  queue!: string;

  @Count()
  from!: number;

  @Count()
  to!: number;

  @ApiProperty({ type: () => [FieldChange], description: 'The fields in which the two versions differ.' })
  changes!: FieldChange[];
}

export class BlamedField {
  @Text({ max: 200, example: 'retry.maxAttempts' })
  field!: string;

  @AnyJson({})
  value!: unknown;

  @Flag({ description: 'Whether a queue has this value that is defined without a policy.' })
  isDefault!: boolean;

  @Part(() => VersionMade, {
    nullable: true,
    description:
      'The version that set it, and who made that. null if no event did: builds before had no such field, and it has its default of today.',
  })
  setBy!: VersionMade | null;
}

export class PolicyBlame {
  @Text({ max: 100, pattern: QUEUE_NAME, example: 'mail' })
  queue!: string;

  @Count({ description: 'The newest version.' })
  version!: number;

  @ApiProperty({ type: () => [BlamedField] })
  fields!: BlamedField[];

  @Part(() => AsOf, { optional: true, description: 'Present if the answer is as of a moment.' })
  asOf?: AsOf;
}
