import { cycleThrough } from '../kernel/cycle.js';
import type { QueueStatus } from './queue.state.js';

/** What matters about a queue to those that wait for it. */
export interface AwaitedQueue {
  readonly name: string;
  readonly status: QueueStatus | 'unknown';
  readonly waitsFor: readonly string[];
}

/** The first queue of `waitsFor` that does not exist; null if all exist. */
export function missingQueue(waitsFor: readonly string[], others: readonly AwaitedQueue[]): string | null {
  const there = new Set(others.flatMap(({ name, status }) => (isThere(status) ? [name] : [])));
  return waitsFor.find((name) => !there.has(name)) ?? null;
}

const isThere = (status: AwaitedQueue['status']): boolean => status !== 'unknown' && status !== 'deleted';

/** The queues of `waitsFor` that are not finished yet. */
export function unfinishedQueues(waitsFor: readonly string[], others: readonly AwaitedQueue[]): readonly string[] {
  const finished = new Set(others.flatMap(({ name, status }) => (status === 'finished' ? [name] : [])));
  return waitsFor.filter((name) => !finished.has(name));
}

/**
 * The queues of a cycle that begins at `name`: each would wait for the next, and the last for `name`. Null if there is
 * no such cycle.
 */
export function cycleOfWaits(
  name: string,
  waitsFor: readonly string[],
  others: readonly AwaitedQueue[],
): readonly string[] | null {
  const waitsForOf = new Map(others.map((other) => [other.name, other.waitsFor]));
  return cycleThrough(name, (queue) => (queue === name ? waitsFor : (waitsForOf.get(queue) ?? [])));
}
