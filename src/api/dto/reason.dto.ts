import { Closed, Text } from '../input/fields.js';
import { Limits } from './limits.js';

/** The optional member of every command by people: its reason is recorded in the events' envelope. */
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
