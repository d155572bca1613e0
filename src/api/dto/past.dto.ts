import { ApiProperty } from '@nestjs/swagger';
import { Flag, Instant } from '../input/fields.js';
import { Position } from './answer.fields.js';

export class AsOf {
  @Position({ description: 'The answer is the state after all events up to this position.' })
  position!: string;

  @Instant({ description: 'The time that was asked for; of a position, when its event was recorded.' })
  at!: string;

  @Position({
    nullable: true,
    description:
      'If the clock was set back, or a transaction was being stored in EventStoreDB, the time may also mean this position, of the last event that was recorded at or before it. Null otherwise.',
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
    description:
      'Members of the answer that no event of what was asked for tells: they are empty, or those of a policy have the default of today. Of lists: members of their items.',
  })
  notRecorded!: string[];
}
