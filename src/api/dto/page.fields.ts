import { Integer, Text } from '../input/fields.js';
import { Limits } from './limits.js';

export const PageCursor = () =>
  Text({ max: Limits.cursor, optional: true, description: 'The `nextCursor` of the previous page.' });

export const PageLimit = () =>
  Integer({
    min: 1,
    max: Limits.page,
    optional: true,
    example: 100,
    description: 'The most items to return; 100 if absent.',
  });
