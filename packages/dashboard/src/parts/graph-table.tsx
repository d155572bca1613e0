import type { TaskGraph } from '@waybill/client';
import { plural } from '@waybill/client/words';
import { add } from '../graph/add.js';
import { type GraphNode, linkTo, nameOf, stateOf, toneOf } from '../graph/words.js';
import { State } from './state.js';
import { Table } from './table.js';

/** More rows are no use to a person, and cost every look at the page. */
const MOST_ROWS = 500;

/** The longest list of names in a cell. */
const MOST_NAMES = 3;

/** The nodes of a graph as a table, level by level. */
export function GraphTable({ graph: { nodes, edges } }: { graph: TaskGraph }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const needs = new Map<string, string[]>();
  for (const { from, to, closed } of edges) if (!closed) add(needs, to, from);
  const rows = [...nodes].sort((one, other) => one.level - other.level).slice(0, MOST_ROWS);
  const awaited = (id: string): GraphNode[] => (needs.get(id) ?? []).flatMap((one) => byId.get(one) ?? []);
  return (
    <>
      <Table about="Tasks of the graph" titles={['Task', 'State', { numbers: 'Level' }, 'Queue', 'Waits for']}>
        {rows.map((node) => (
          <Row key={node.id} node={node} awaited={awaited(node.id)} />
        ))}
      </Table>
      {nodes.length > MOST_ROWS ? <p class="quiet">These are the first {MOST_ROWS}.</p> : null}
    </>
  );
}

const Row = ({ node, awaited }: { node: GraphNode; awaited: readonly GraphNode[] }) => (
  <tr>
    <th scope="row">
      <Name node={node} />
    </th>
    <td>
      <State state={toneOf(node)} name={stateOf(node)} />
    </td>
    <td class="number">{node.level}</td>
    <td>{node.queue}</td>
    <td>{namesOf(awaited)}</td>
  </tr>
);

/** The name of a node, as a link to its page if it has one. */
export function Name({ node }: { node: GraphNode }) {
  const link = linkTo(node);
  return link === undefined ? <>{nameOf(node)}</> : <a href={link}>{nameOf(node)}</a>;
}

function namesOf(nodes: readonly GraphNode[]): string {
  const names = nodes.slice(0, MOST_NAMES).map(nameOf).join(', ');
  return nodes.length <= MOST_NAMES ? names : `${names} and ${plural(nodes.length - MOST_NAMES, 'other')}`;
}
