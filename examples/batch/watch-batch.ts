import type { BatchHandle, GraphNode, TaskGraph, Waybill } from '@waybill/client';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 200;

export interface WatchOptions {
  readonly signal: AbortSignal;
  readonly onLook?: (graph: TaskGraph) => void;
  /** Ends the watch earlier. */
  readonly until?: (graph: TaskGraph) => boolean;
}

/** Looks at the graph of a batch until no task of it runs or can run. Sees all that was done before the call. */
export async function watchBatch(
  waybill: Waybill,
  batch: BatchHandle,
  { signal, onLook, until }: WatchOptions,
): Promise<TaskGraph> {
  const [{ head: minPosition } = { head: '0' }] = await waybill.projections({ signal });
  for (;;) {
    const graph = await batch.graph({ signal, minPosition });
    onLook?.(graph);
    if (isAtRest(graph) || until?.(graph)) return graph;
    await pause(LOOK_MS, null, { signal });
  }
}

/** What failed is at rest, and so is what waits for it. Batches among the nodes have tasks of their own. */
function isAtRest({ nodes, edges }: TaskGraph): boolean {
  const moving = new Set(nodes.filter(goesOn).map(({ id }) => id));
  const done = new Set(nodes.filter(({ state }) => DONE.includes(state)).map(({ id }) => id));
  // What is done frees what waits for it a moment later, if there are thousands of them.
  return moving.size === 0 && !edges.some(({ from, closed }) => !closed && done.has(from));
}

const DONE: readonly string[] = ['succeeded', 'superseded', 'completed'];
const BATCH_GOES_ON: readonly string[] = ['planning', 'running', 'reporting'];

const goesOn = ({ kind, state, blocked }: GraphNode): boolean =>
  kind === 'batch' ? BATCH_GOES_ON.includes(state) : state === 'running' || (state === 'pending' && !blocked);
