import { describe, expect, it } from '@jest/globals';
import type { BatchHandle, GraphEdge, GraphNode, TaskGraph, Waybill } from '@waybill/client';
import { watchBatch } from './watch-batch.js';

const node = (id: string, state: string, blocked = false): GraphNode =>
  ({
    id,
    level: 0,
    kind: id.startsWith('batch') ? 'batch' : 'task',
    title: id,
    queue: 'q',
    state,
    blocked,
  }) as GraphNode;
const edge = (from: string, to: string, closed: boolean): GraphEdge => ({ from, to, ignore: false, closed });

const FAILED: TaskGraph = {
  nodes: [node('a', 'failed'), node('b', 'pending', true)],
  edges: [edge('a', 'b', false)],
} as unknown as TaskGraph;

/** How many looks the watch takes if the first one sees these nodes and the second one a failure. */
async function looksAt(nodes: GraphNode[], edges: GraphEdge[]): Promise<number> {
  const graphs = [{ nodes, edges } as unknown as TaskGraph, FAILED];
  let looks = 0;
  const waybill = { projections: async () => [{ head: '7' }] } as unknown as Waybill;
  const batch = { graph: async () => graphs[looks++]! } as unknown as BatchHandle;
  await watchBatch(waybill, batch, { signal: AbortSignal.timeout(30_000) });
  return looks;
}

describe('watchBatch', () => {
  it.each([
    ['nothing can run any more', [node('a', 'failed'), node('b', 'pending', true)], [edge('a', 'b', false)], 1],
    ['all is done', [node('a', 'succeeded'), node('b', 'succeeded')], [edge('a', 'b', true)], 1],
    ['a task runs', [node('a', 'running'), node('b', 'pending', true)], [edge('a', 'b', false)], 2],
    ['a task may run', [node('a', 'pending')], [], 2],
    ['what waits is not free yet', [node('a', 'succeeded'), node('b', 'pending', true)], [edge('a', 'b', false)], 2],
    ['another batch goes on', [node('batch', 'running'), node('b', 'pending', true)], [edge('batch', 'b', false)], 2],
  ])('given that %s, it looks as often as it must', async (_, nodes, edges, looks) => {
    expect(await looksAt(nodes, edges)).toBe(looks);
  });
});
