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
    if (graph.nodes.every(isAtRest) || until?.(graph)) return graph;
    await pause(LOOK_MS, null, { signal });
  }
}

/** What failed is at rest, and so is what waits for it. */
const isAtRest = ({ state, blocked }: GraphNode): boolean => state !== 'running' && (state !== 'pending' || blocked);
