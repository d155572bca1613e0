import { QUEUE_NAME } from '../dto/limits.js';
import { isUuid } from '../input/formats.js';
import { pathParameter } from '../input/query-validator.js';

export const queueName = (value: string): string =>
  pathParameter('queue', value, (name) => QUEUE_NAME.test(name), `the name of a queue: ${QUEUE_NAME.words}`);

export const triggerName = (value: string): string =>
  pathParameter('trigger', value, (name) => QUEUE_NAME.test(name), `the name of a trigger: ${QUEUE_NAME.words}`);

export const holdName = (value: string): string =>
  pathParameter('hold', value, (name) => QUEUE_NAME.test(name), `the name of a hold: ${QUEUE_NAME.words}`);

export const resourceName = (value: string): string =>
  pathParameter('resource', value, (name) => QUEUE_NAME.test(name), `the name of a resource: ${QUEUE_NAME.words}`);

/** The id of a task or batch. */
export const idIn = (value: string): string => pathParameter('id', value, isUuid, 'a UUID in lower case');

/** An instant with any offset, in the form that events store. */
export const isoTime = (instant: string): string => new Date(instant).toISOString();
