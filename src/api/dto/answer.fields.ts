import { ApiProperty } from '@nestjs/swagger';

// Fields that occur only in answers. They are documented, but not validated.

/** A position in the log: decimal text, because it outgrows the integers that JSON numbers represent exactly. */
export const Position = (options: { readonly nullable?: true; readonly description?: string } = {}) =>
  ApiProperty({
    type: 'string',
    pattern: '^[0-9]+$',
    example: '4711',
    description: 'A position in the log of all events.',
    ...options,
  });

/** Only in the answers of commands, beside their position. */
export const Indexed = () =>
  ApiProperty({
    type: 'boolean',
    enum: [false],
    required: false,
    description:
      '`false`: the command is recorded, but queries may not show it yet. One with its position as `minPosition` waits until it can. Absent otherwise, and in the items of an answer.',
  });

export const Count = (
  options: { readonly required?: false; readonly nullable?: true; readonly description?: string } = {},
) => ApiProperty({ type: 'integer', minimum: 0, ...options });

export const Seconds = (options: { readonly nullable?: true; readonly description?: string } = {}) =>
  ApiProperty({ type: 'number', minimum: 0, example: 1.25, ...options });

export const LagSeconds = () =>
  ApiProperty({
    type: 'number',
    minimum: 0,
    example: 0.012,
    description: 'The age of the oldest event that the follower has not applied; 0 if it has applied all.',
  });
