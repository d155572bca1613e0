import { ApiProperty } from '@nestjs/swagger';
import { Closed, Flag, Instant, MomentOf } from '../input/fields.js';
import { Position } from './answer.fields.js';
import { ReadQuery } from './query.dto.js';

/** The parameters of a query that also shows the past. */
@Closed()
export class PastQuery extends ReadQuery {
  @MomentOf({
    optional: true,
    example: '10m',
    description:
      'Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. Cannot be combined with `minPosition`.',
  })
  asOf?: string;
}

export class AsOf {
  @Position({ description: 'The answer is the state after all events up to this position.' })
  position!: string;

  @Instant({ description: 'The time that was asked for; of a position, when its event was recorded.' })
  at!: string;

  @Position({
    nullable: true,
    description:
      'If the clock was set back, the time may also mean this position, of the last event that was recorded at or before it. Null otherwise.',
  })
  alternative!: string | null;

  @Flag({
    description:
      '`false` for a time within the last ten seconds: something that is recorded now may still get a time at or before it.',
  })
  settled!: boolean;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    description: 'The members of the answer that are in no event, and are empty for that reason.',
  })
  notRecorded!: string[];
}
