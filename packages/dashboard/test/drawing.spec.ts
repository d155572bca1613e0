import { describe, expect, it } from '@jest/globals';
import type { TaskGraph } from '@waybill/client';
import fc from 'fast-check';
import { columnsOf } from '../src/graph/columns.js';
import { drawingOf, NODE } from '../src/graph/drawing.js';

type Node = TaskGraph['nodes'][number];

const node = (id: string, level: number): Node => ({
  id,
  level,
  kind: 'task',
  title: id,
  queue: 'q',
  state: 'pending',
  blocked: false,
});
const edge = (from: string, to: string) => ({ from, to, ignore: false, closed: false });
const idsOf = (graph: Pick<TaskGraph, 'nodes' | 'edges'>): string[][] =>
  columnsOf(graph).columns.map((column) => column.filter(({ isNode }) => isNode).map(({ id }) => id));

/** Each node may wait for any of the levels before its own. */
const graphs = fc
  .array(fc.record({ level: fc.nat(5), needs: fc.array(fc.nat(30), { maxLength: 4 }) }), { maxLength: 30 })
  .map((made) => {
    const nodes = made.map(({ level }, n) => node(`n${n}`, level));
    const edges = made.flatMap(({ level, needs }, n) =>
      needs.flatMap((need) => (made[need] && made[need].level < level ? [edge(`n${need}`, `n${n}`)] : [])),
    );
    return { nodes, edges };
  });

describe('the places of a graph', () => {
  it('are in columns by level', () => {
    const nodes = [node('a', 0), node('c', 2), node('b', 1), node('b2', 1)];
    expect(idsOf({ nodes, edges: [] })).toEqual([['a'], ['b', 'b2'], ['c']]);
  });

  it('are ordered so that edges need not cross', () => {
    const nodes = [node('a', 0), node('b', 0), node('of b', 1), node('of a', 1)];
    const edges = [edge('a', 'of a'), edge('b', 'of b')];
    const [first, second] = idsOf({ nodes, edges });
    expect(second).toEqual(first!.map((id) => `of ${id}`));
  });

  it('leave room for edges that run past a level', () => {
    const nodes = [node('a', 0), node('b', 1), node('c', 2)];
    const edges = [edge('a', 'b'), edge('b', 'c'), edge('a', 'c')];
    const { columns, routes } = columnsOf({ nodes, edges });
    expect(columns.map((column) => column.length)).toEqual([1, 2, 1]);
    expect(routes.map(({ through }) => through.length)).toEqual([2, 2, 3]);
  });

  it('do not grow without bound with the edges', () => {
    const nodes = Array.from({ length: 100 }, (_, n) => node(`n${n}`, n));
    const edges = nodes.flatMap(({ id }, n) => nodes.slice(n + 1).map((later) => edge(id, later.id)));
    expect(columnsOf({ nodes, edges }).columns.every((column) => column.length === 1)).toBe(true);
  });
});

describe('the drawing of a graph', () => {
  it('leaves out edges to what is not shown', () => {
    expect(drawingOf({ nodes: [node('a', 0)], edges: [edge('away', 'a')] }).edges).toEqual([]);
  });

  it('has its nodes in the order in which they are read', () => {
    const nodes = [node('c', 1), node('b', 0), node('a', 0), node('d', 2)];
    const edges = [edge('b', 'c'), edge('c', 'd')];
    expect(drawingOf({ nodes, edges }).nodes.map(({ node: { id } }) => id)).toEqual(['b', 'a', 'c', 'd']);
  });

  it('has every node within its frame, further right with each level, and none over another', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { nodes, width, height, edges } = drawingOf(graph);
        expect(nodes).toHaveLength(graph.nodes.length);
        expect(edges).toHaveLength(graph.edges.length);
        for (const { x, y } of nodes) {
          expect([x >= 0, y >= 0, x + NODE.width <= width, y + NODE.height <= height]).toEqual([
            true,
            true,
            true,
            true,
          ]);
        }
        const spots = nodes.map(({ node: { level }, x, y }) => ({ level, x, y }));
        for (const [n, one] of spots.entries()) {
          for (const other of spots.slice(n + 1)) {
            if (one.level === other.level) expect(Math.abs(one.y - other.y)).toBeGreaterThanOrEqual(NODE.height);
            else expect(one.x < other.x).toBe(one.level < other.level);
          }
        }
      }),
    );
  });
});
