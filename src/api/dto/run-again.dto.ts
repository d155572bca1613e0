import { AnyJson, Closed, Text } from '../input/fields.js';
import { Limits, QUEUE_NAME } from './limits.js';

/** In what a second run differs from the first. */
@Closed()
export class RunAgainFields {
  @AnyJson({
    optional: true,
    example: { to: 'bob@example.com' },
    description: 'If absent, the payload of the first run.',
  })
  payload?: unknown;

  @Text({
    max: Limits.step,
    optional: true,
    description:
      'The step to begin at, with the data that were recorded. If absent, the first one, with the data as they were submitted.',
  })
  fromStep?: string;

  @Text({ max: 100, pattern: QUEUE_NAME, optional: true, description: 'If absent, the queue of the first run.' })
  queue?: string;
}
