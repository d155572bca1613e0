import { Closed, Text } from '../input/fields.js';
import { Limits } from './limits.js';

/** What every command of people may say beside what is to be done: it is in the envelope of what is recorded. */
@Closed()
export class ReasonRequest {
  @Text({
    max: Limits.reason,
    optional: true,
    example: 'The mail server is being moved',
    description: 'The reason, for the history.',
  })
  reason?: string;
}
