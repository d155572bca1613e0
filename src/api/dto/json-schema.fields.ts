import type { ApiPropertyOptions } from '@nestjs/swagger';
import { type About, field } from '../input/fields.js';

/** Up to `items` JSON Schemas by names of up to `max` characters. What a schema says is checked with the command. */
export const JsonSchemas = ({ items, max, ...about }: About & { readonly items: number; readonly max: number }) =>
  field(
    {
      schema: {
        type: 'object',
        maxProperties: items,
        propertyNames: { type: 'string', minLength: 1, maxLength: max },
        additionalProperties: { type: 'object', additionalProperties: true },
      } as ApiPropertyOptions,
      expected: `up to ${items} JSON Schemas, each an object, by names of 1 to ${max} characters`,
    },
    about,
  );
