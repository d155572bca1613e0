import type { EventReads } from '../../../application/kernel/event-store.port.js';
import { isStanding, type StateCounts } from '../../../projections/kernel/states-then.port.js';
import { sumOf } from './folded-states.js';
import { type Moves, movesAround } from './moves.js';
import { type Base, type Snapshot, type TaskSet } from './snapshot.js';
import type { Snapshots } from './snapshots.js';

/**
 * A snapshot and what the log moved since make another one: for a log of which none was taken. It is at the
 * position of an event, from which any store can be read.
 */
export async function foldedSnapshot(
  snapshots: Snapshots,
  log: Pick<EventReads, 'readSegments'>,
  base: Base,
  upTo: bigint,
): Promise<Snapshot> {
  const moves = await movesAround(log, base, upTo);
  const [counts, sets] = await Promise.all([snapshots.everyCountOf(base), snapshots.setsOf(base)]);
  return { position: moves.reached, counts: countsAfter(counts, moves), sets: await setsAfter(sets, moves) };
}

function countsAfter(before: ReadonlyMap<string, StateCounts>, { counts }: Moves): ReadonlyMap<string, StateCounts> {
  const queues = new Set([...before.keys(), ...counts.keys()]);
  return new Map([...queues].map((queue) => [queue, sumOf(before.get(queue) ?? {}, counts.get(queue) ?? {})]));
}

/** Others have their turn between two sets. */
async function setsAfter(before: readonly TaskSet[], { tasks }: Moves): Promise<readonly TaskSet[]> {
  const after = new Map<string, { readonly queue: string; readonly state: TaskSet['state']; readonly ids: string[] }>();
  for (const { queue, state, ids } of before) {
    after.set(`${state} ${queue}`, { queue, state, ids: ids.filter((id) => !tasks.has(id)) });
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const [id, { queue, state }] of tasks) {
    if (!isStanding(state)) continue;
    const name = `${state} ${queue}`;
    if (!after.has(name)) after.set(name, { queue, state, ids: [] });
    after.get(name)!.ids.push(id);
  }
  return [...after.values()].filter(({ ids }) => ids.length > 0);
}
