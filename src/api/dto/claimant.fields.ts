import { Text } from '../input/fields.js';
import { Limits } from './limits.js';

/** The build of the worker, in requests that give it tasks. */
export const Build = (): PropertyDecorator =>
  Text({
    max: Limits.build,
    optional: true,
    example: '2.4.1',
    description: 'The version of the program that runs the tasks, for the history.',
  });
