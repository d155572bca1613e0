import type { Graph, GraphNode } from './graph.js';

/**
 * The graph for somebody who may see these queues only; null means all. Of a task of another queue, and of a batch, it
 * has only the state.
 */
export function hiding(graph: Graph, queues: ReadonlySet<string> | null): Graph {
  if (queues === null) return graph;
  const hidden = graph.nodes.filter(({ queue }) => queue === null || !queues.has(queue));
  const names = new Map(hidden.map(({ id }, at) => [id, `hidden:${at}`]));
  const shown = (id: string): string => names.get(id) ?? id;
  const known = new Set(graph.nodes.map(({ id }) => id));
  return {
    ...graph,
    nodes: graph.nodes.map((node) => (names.has(node.id) ? withoutName(node, shown(node.id)) : node)),
    edges: graph.edges.map((edge) => ({ ...edge, from: shown(edge.from), to: shown(edge.to) })),
    // What was left out of the nodes may be outside of the queues.
    cause: graph.cause.filter((id) => known.has(id)).map(shown),
  };
}

const withoutName = ({ level, kind, state, blocked, count }: GraphNode, id: string): GraphNode => ({
  id,
  level,
  kind,
  title: state,
  queue: null,
  state,
  blocked,
  ...(count !== undefined && { count }),
});
