import { ApiProperty } from '@nestjs/swagger';
import { CATEGORIES, type Category } from '../../domain/aggregates.js';
import { Choice, Closed, Text } from '../input/fields.js';
import { POSITION } from '../input/since.js';

@Closed()
export class ChangeFeedQuery {
  @Text({ max: 18, pattern: POSITION, optional: true, description: 'Start after this position; now if absent.' })
  after?: string;
}

export class ChangedThing {
  @Choice(CATEGORIES, { example: 'trigger' })
  category!: Category;

  @ApiProperty({ type: 'string', example: 'nightly', description: 'Its name; that of a batch is its id.' })
  name!: string;
}

export class ChangeNotice {
  @ApiProperty({ type: 'string', example: '4711', description: 'What changed up to this position of the log.' })
  position!: string;

  @ApiProperty({ type: 'string', enum: ['Changed'] })
  type!: 'Changed';

  @ApiProperty({
    type: 'boolean',
    description: 'Whether anything may have changed: the stream began too far back, or the log is faster than it.',
  })
  everything!: boolean;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    nullable: true,
    example: ['mail'],
    description: 'The queues of which something changed: also of their tasks. Null: more than 50.',
  })
  queues!: string[] | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    nullable: true,
    description: 'The tasks that changed, those of the service included, such as operations. Null: more than 50.',
  })
  tasks!: string[] | null;

  @ApiProperty({ type: () => [ChangedThing], nullable: true, description: 'What else changed. Null: more than 50.' })
  others!: ChangedThing[] | null;
}
