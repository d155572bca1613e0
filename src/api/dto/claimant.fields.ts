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

/** Of one item of a request, which others of the same request need not share. */
export const TraceContext = (doing: string): PropertyDecorator =>
  Text({
    max: Limits.traceContext,
    optional: true,
    example: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    description: `The W3C trace context of what ${doing}, for the history, instead of that of the request. One that is not valid is ignored.`,
  });
