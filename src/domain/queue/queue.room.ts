import type { QueuePolicy } from './queue.policy.js';

/** What a counted queue's limits leave for a server beside what runs. */
export interface Room {
  /** Tasks that may begin there now; none or fewer: no room. */
  readonly places: number;
  /** The limit that is met first. */
  readonly limit: 'perServer' | 'maxRunning';
}

/** The one rule of counted queues: a claim keeps it, and an explanation names it. */
export function roomOn(
  server: string,
  { concurrency, maxRunning }: Pick<QueuePolicy, 'concurrency' | 'maxRunning'>,
  running: readonly { readonly server: string }[],
): Room {
  const here = running.filter((task) => task.server === server).length;
  const onServer = (typeof concurrency === 'object' ? concurrency.perServer : Infinity) - here;
  const inCluster = (maxRunning ?? Infinity) - running.length;
  // A full server is told so even where the cluster is full, too: it may ask for something else.
  return onServer <= 0 || onServer < inCluster
    ? { places: onServer, limit: 'perServer' }
    : { places: inCluster, limit: 'maxRunning' };
}
