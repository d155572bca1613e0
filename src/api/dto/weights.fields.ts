import type { ApiPropertyOptions } from '@nestjs/swagger';
import { type About, field } from '../input/fields.js';

/** Whole numbers from 1 to `most` by up to `items` values of a label. */
export const Weights = ({ items, most, ...about }: About & { readonly items: number; readonly most: number }) =>
  field(
    {
      schema: {
        type: 'object',
        maxProperties: items,
        propertyNames: { type: 'string', maxLength: 256 },
        additionalProperties: { type: 'integer', minimum: 1, maximum: most },
      } as ApiPropertyOptions,
      expected: `whole numbers from 1 to ${most} by up to ${items} values of the label, of up to 256 characters`,
    },
    about,
  );
