import { RESERVED } from '../../domain/queue/reserved.policy.js';

/** Which queues a list shows: only the service's own (true), only the others (false), or all. */
export interface OfService {
  readonly internal?: boolean;
}

/** SQL that says whether a queue is internal. `queue`: SQL for its name. */
export const isInternal = (queue: string): string => `starts_with(${queue}, '${RESERVED}')`;

/** The condition for a queue of the list. */
export const within = (queue: string, { internal }: OfService): string =>
  internal === undefined ? 'true' : `${isInternal(queue)} = ${internal}`;
