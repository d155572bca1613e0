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

/** The queues, from `name` on, of which each would wait for the next and the last for `name`; null where there is no such circle. */
export function cycleThrough(
  name: string,
  waitsFor: readonly string[],
  others: readonly AwaitedQueue[],
): readonly string[] | null {
  const waitsForOf = new Map(others.map((other) => [other.name, other.waitsFor]));
  const seen = new Set<string>();
  const follow = (path: readonly string[], next: readonly string[]): readonly string[] | null => {
    for (const other of next) {
      if (other === name) return path;
      if (seen.has(other)) continue;
      seen.add(other);
      const cycle = follow([...path, other], waitsForOf.get(other) ?? []);
      if (cycle) return cycle;
    }
    return null;
  };
  return follow([name], waitsFor);
}
