import { ApiProperty } from '@nestjs/swagger';

// Fields of answers that no request has: shown, not checked.

/** A place in the log of all events: decimal text, because it outgrows exact JSON numbers. */
export const Position = (options: { readonly nullable?: true; readonly description?: string } = {}) =>
  ApiProperty({
    type: 'string',
    pattern: '^[0-9]+$',
    example: '4711',
    description: 'A place in the log of all events.',
    ...options,
  });

export const Count = () => ApiProperty({ type: 'integer', minimum: 0 });
