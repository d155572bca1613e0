import { ApiProperty } from '@nestjs/swagger';

// Fields of answers that no request has: shown, not checked.

/** A place in the log of all events: decimal text, because it outgrows exact JSON numbers. */
export const Position = (options: { readonly nullable?: true; readonly description?: string } = {}) =>
  ApiProperty({
    type: 'string',
    pattern: '^[0-9]+$',
    example: '4711',
    description: 'A position in the log of all events.',
    ...options,
  });

export const Count = () => ApiProperty({ type: 'integer', minimum: 0 });

export const LagSeconds = () =>
  ApiProperty({
    type: 'number',
    minimum: 0,
    example: 0.012,
    description: 'The age of the oldest event that the follower has not applied; 0 if it has applied all.',
  });
