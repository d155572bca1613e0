import type { TaskGraph } from '@waybill/client';
import { plural } from '../ui/numbers.js';
import { Pill } from '../ui/pill.js';
import { type Column, Table } from '../ui/table.js';
import { add } from './add.js';
import { NodeLink } from './node-link.js';
import { type GraphNode, nameOf, stateOf, toneOf } from './node-words.js';

interface Row {
  readonly node: GraphNode;
  readonly awaited: readonly GraphNode[];
}

/** The nodes of a graph as a table, level by level, with what each still waits for. */
export function GraphTable({ graph }: { graph: Pick<TaskGraph, 'nodes' | 'edges'> }) {
  const isOfOneQueue = new Set(graph.nodes.map(({ queue }) => queue)).size === 1;
  const columns = COLUMNS.filter(({ title }) => title !== 'Queue' || !isOfOneQueue);
  return <Table about="Tasks of the graph" columns={columns} rows={rowsOf(graph)} keyOf={({ node }) => node.id} />;
}

export function rowsOf({ nodes, edges }: Pick<TaskGraph, 'nodes' | 'edges'>): Row[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const needs = new Map<string, string[]>();
  for (const { from, to, closed } of edges) if (!closed) add(needs, to, from);
  return nodes
    .toSorted((one, other) => one.level - other.level)
    .map((node) => ({ node, awaited: (needs.get(node.id) ?? []).flatMap((id) => byId.get(id) ?? []) }));
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Task', cell: ({ node }) => <NodeLink node={node}>{nameOf(node)}</NodeLink> },
  { title: 'State', cell: ({ node }) => <Pill state={toneOf(node)} label={stateOf(node)} /> },
  { title: 'Level', isNumber: true, cell: ({ node }) => node.level },
  { title: 'Queue', cell: ({ node }) => node.queue },
  {
    title: 'Waits for',
    isWide: true,
    says: ({ awaited }) => awaited.length > 0,
    cell: ({ awaited }) => namesOf(awaited),
  },
];

/** The longest list of names in a cell. */
const MOST_NAMES = 3;

export function namesOf(nodes: readonly GraphNode[]): string {
  const names = nodes.slice(0, MOST_NAMES).map(nameOf).join(', ');
  return nodes.length <= MOST_NAMES ? names : `${names} and ${plural(nodes.length - MOST_NAMES, 'other')}`;
}
