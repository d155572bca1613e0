import fc from 'fast-check';
import { cycleThrough } from '../../src/domain/kernel/cycle.js';

type Graph = Readonly<Record<string, readonly string[]>>;

const NODES = ['a', 'b', 'c', 'd', 'e', 'f'];
const graphs: fc.Arbitrary<Graph> = fc.record(
  Object.fromEntries(NODES.map((node) => [node, fc.subarray(NODES, { maxLength: 3 })])),
);
const nextIn = (graph: Graph) => (node: string) => graph[node] ?? [];

/** Whether `to` can be reached from `from` in one or more steps. */
function reaches(graph: Graph, from: string, to: string): boolean {
  let seen = new Set(nextIn(graph)(from));
  for (let before = -1; seen.size > before;) {
    before = seen.size;
    seen = new Set([...seen, ...[...seen].flatMap(nextIn(graph))]);
  }
  return seen.has(to);
}

describe('a cycle through a node', () => {
  it('is found exactly if the node reaches itself', () => {
    fc.assert(
      fc.property(graphs, (graph) => (cycleThrough('a', nextIn(graph)) !== null) === reaches(graph, 'a', 'a')),
      { numRuns: 1_000 },
    );
  });

  it('begins with the node, and each node leads to the next and the last to the first', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const cycle = cycleThrough('a', nextIn(graph));
        fc.pre(cycle !== null);
        const steps = cycle.map((node, at) => nextIn(graph)(node).includes(cycle[(at + 1) % cycle.length]!));
        return cycle[0] === 'a' && new Set(cycle).size === cycle.length && steps.every(Boolean);
      }),
    );
  });

  it('is found in a chain that is too long for recursion', () => {
    const next = (node: string): string[] => (Number(node) < 100_000 ? [String(Number(node) + 1)] : ['0']);
    expect(cycleThrough('0', next)).toHaveLength(100_001);
  });
});
