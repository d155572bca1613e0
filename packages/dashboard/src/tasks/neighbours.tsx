import { Link } from '@tanstack/react-router';
import { NodeLink } from '../graph/node-link.js';
import { type GraphNode, nameOf, stateOf, toneOf } from '../graph/node-words.js';
import { useNeighbours } from '../graph/graph.queries.js';
import { Card } from '../ui/card.js';
import { Pill } from '../ui/pill.js';
import { Columns } from '../ui/stack.js';
import { Results } from './results.js';
import css from './neighbours.module.css';

/** What a task waits for and what waits for it, if there is any. */
export function Neighbours({ id }: { id: string }) {
  const { data } = useNeighbours(id);
  if (!data) return null;
  const byId = new Map(data.nodes.map((node) => [node.id, node]));
  const needs = data.edges.flatMap(({ from, to }) => (to === id ? (byId.get(from) ?? []) : []));
  const dependants = data.edges.flatMap(({ from, to }) => (from === id ? (byId.get(to) ?? []) : []));
  if (needs.length + dependants.length === 0) return null;
  return (
    <Card
      title="What it waits for, and what waits for it"
      aside={
        <Link to="/tasks/$id/graph" params={{ id }}>
          Graph of all of them
        </Link>
      }
    >
      <Columns>
        <Some title="Needs" nodes={needs} />
        <Some title="Needed by" nodes={dependants} />
      </Columns>
      {needs.some(({ state }) => state === 'succeeded') && <Results id={id} />}
    </Card>
  );
}

const Some = ({ title, nodes }: { title: string; nodes: readonly GraphNode[] }) =>
  nodes.length === 0 ? null : (
    <div>
      <h3>{title}</h3>
      <ul className={css.list} aria-label={title}>
        {nodes.map((node) => (
          <li key={node.id}>
            <NodeLink node={node}>{nameOf(node)}</NodeLink> <Pill state={toneOf(node)} label={stateOf(node)} />
          </li>
        ))}
      </ul>
    </div>
  );
