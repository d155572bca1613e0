import type { ApiPropertyOptions } from '@nestjs/swagger';
import { type About, field } from './fields.js';

/** Up to 32 labels, and at least `min`: names of up to 64 characters, values of up to 256. */
export const Labels = ({ min = 0, ...about }: About & { readonly min?: number }) =>
  field(
    {
      schema: {
        type: 'object',
        ...(min > 0 && { minProperties: min }),
        maxProperties: 32,
        propertyNames: { type: 'string', minLength: 1, maxLength: 64 },
        additionalProperties: { type: 'string', maxLength: 256 },
      } as ApiPropertyOptions,
      expected: `${min > 0 ? `${min} to 32` : 'up to 32'} labels with names of 1 to 64 characters and text values of up to 256`,
    },
    about,
  );

/** Up to 20 labels of workers: names of up to 64 characters, and values that are text of up to 256, numbers or booleans. */
export const LabelsOfWorkers = (about: About) =>
  field(
    {
      schema: {
        type: 'object',
        maxProperties: 20,
        propertyNames: { type: 'string', minLength: 1, maxLength: 64 },
        additionalProperties: { anyOf: [{ type: 'string', maxLength: 256 }, { type: 'number' }, { type: 'boolean' }] },
      } as ApiPropertyOptions,
      expected:
        'up to 20 labels with names of 1 to 64 characters, and values that are text of up to 256, numbers or booleans',
    },
    about,
  );
