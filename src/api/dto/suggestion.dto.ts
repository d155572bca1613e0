import { ApiProperty } from '@nestjs/swagger';
import { Closed, Text } from '../input/fields.js';
import { Limits } from './limits.js';
import { ReadQuery } from './query.dto.js';

/** A value of 512 characters in quotes, each with a backslash before it. */
const LONGEST = 1_026;

@Closed()
export class SuggestionQuery extends ReadQuery {
  @Text({
    min: 0,
    max: Limits.search,
    optional: true,
    example: 'state:failed queue:ma',
    description: 'A search as far as it is written.',
  })
  q?: string;
}

export class Suggestion {
  @Text({
    max: LONGEST,
    description:
      'A field such as `queue:`, the beginning of one such as `label.`, or a value as a search has it, in quotes if it needs them.',
  })
  text!: string;

  @Text({
    max: Limits.errorMessage,
    nullable: true,
    description: 'What it stands for: the description of a queue, the newest message of a group of failures.',
  })
  about!: string | null;
}

export class SuggestionList {
  @ApiProperty({
    type: 'integer',
    description: 'Each suggestion stands in the place of what follows this many UTF-16 units of the search.',
  })
  at!: number;

  @ApiProperty({ type: () => [Suggestion], description: 'Up to 20.' })
  items!: Suggestion[];
}
