import { describe, expect, it } from '@jest/globals';
import { graphOf, MOST_NODES, type NodeFacts } from '../../src/projections/task-graph/graph.js';

const node = (id: string, state = 'pending'): NodeFacts => ({ id, kind: 'task', title: id, queue: 'q', state });
const edge = (from: string, to: string, closed = false) => ({ from, to, ignore: false, closed });
const graph = (nodes: NodeFacts[], edges: ReturnType<typeof edge>[], about: string[] = []) =>
  graphOf({ nodes, edges, about, truncated: false });

describe('a graph', () => {
  it('places each node after all that it needs', () => {
    const { nodes } = graph([node('c'), node('b'), node('a')], [edge('a', 'b'), edge('b', 'c'), edge('a', 'c')]);
    expect(nodes.map(({ id, level }) => [id, level])).toEqual([
      ['c', 2],
      ['b', 1],
      ['a', 0],
    ]);
  });

  it('says what is blocked: what could run but for an open prerequisite', () => {
    const { nodes } = graph(
      [node('a', 'succeeded'), node('b', 'failed'), node('c'), node('d'), node('e', 'cancelled')],
      [edge('a', 'c', true), edge('b', 'd'), edge('b', 'e')],
    );
    expect(nodes.filter(({ blocked }) => blocked).map(({ id }) => id)).toEqual(['d']);
  });

  it('follows a blocked task to its cause, to what failed rather than to what runs', () => {
    const nodes = [node('a', 'running'), node('b', 'failed'), node('c'), node('d')];
    expect(graph(nodes, [edge('a', 'c'), edge('b', 'c'), edge('c', 'd')], ['d']).cause).toEqual(['d', 'c', 'b']);
  });

  it('has no cause if nothing is blocked', () => {
    expect(graph([node('a'), node('b')], [edge('a', 'b', true)], ['a', 'b']).cause).toEqual([]);
  });

  it('folds tasks of the same level and state, but not the cause', () => {
    const many = Array.from({ length: 300 }, (_, at) => node(`n${at}`));
    const { nodes, edges, folded, total, cause } = graph(
      [node('root', 'failed'), ...many],
      many.map(({ id }) => edge('root', id)),
      ['n7'],
    );
    expect([folded, total, cause]).toEqual([true, 301, ['n7', 'root']]);
    expect(nodes.map(({ id, kind, count }) => [kind === 'fold' ? 'fold' : id, count])).toEqual([
      ['root', undefined],
      ['n7', undefined],
      ['fold', 299],
    ]);
    expect(edges).toHaveLength(2);
  });

  it.each([
    [MOST_NODES, false],
    [MOST_NODES + 1, true],
  ])('of %i tasks is folded: %s', (count, folded) => {
    const nodes = Array.from({ length: count }, (_, at) => node(`n${at}`));
    const shown = graph(nodes, []);
    expect([shown.total, shown.folded, shown.nodes.length]).toEqual([count, folded, folded ? 1 : count]);
  });

  it('shows an edge between folds as closed only if all of its edges are', () => {
    const many = (name: string) => Array.from({ length: 100 }, (_, at) => node(`${name}${at}`, 'running'));
    const [first, second] = [many('a'), many('b')];
    const pairs = first.map(({ id }, at) => edge(id, second[at]!.id, at > 0));
    expect(graph([...first, ...second], pairs).edges).toMatchObject([{ closed: false }]);
  });

  it('cuts a chain that is too long to look at, and the path to its cause in the middle', () => {
    const chain = Array.from({ length: 1_000 }, (_, at) => node(`n${at}`, at === 0 ? 'failed' : 'pending'));
    const links = chain.slice(1).map(({ id }, at) => edge(`n${at}`, id));
    const { nodes, cause, truncated } = graph(chain, links, ['n999']);
    expect(nodes.length).toBeLessThanOrEqual(MOST_NODES);
    expect([cause.length, cause[0], cause.at(-1), truncated]).toEqual([40, 'n999', 'n0', true]);
    expect(nodes.map(({ id }) => id)).toContain('n999');
  });
});
