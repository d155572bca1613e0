import type { TaskGraph } from '@waybill/client';
import { type GraphNode, stateOf, toneOf } from '../graph/words.js';
import { hashOf } from '../route.js';
import { Name } from './graph-table.js';
import { State } from './state.js';

/** What a task waits for and what waits for it, if there is any. */
export function Neighbours({ id, graph: { nodes, edges } }: { id: string; graph: TaskGraph }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const needs = edges.flatMap(({ from, to }) => (to === id ? (byId.get(from) ?? []) : []));
  const dependants = edges.flatMap(({ from, to }) => (from === id ? (byId.get(to) ?? []) : []));
  if (needs.length + dependants.length === 0) return null;
  return (
    <>
      <div class="columns">
        <Some title="Needs" nodes={needs} />
        <Some title="Needed by" nodes={dependants} />
      </div>
      <p>
        <a href={hashOf({ page: 'task-graph', id })}>Graph of all of them</a>
      </p>
    </>
  );
}

const Some = ({ title, nodes }: { title: string; nodes: readonly GraphNode[] }) =>
  nodes.length === 0 ? null : (
    <section>
      <h2>{title}</h2>
      <ul class="neighbours">
        {nodes.map((node) => (
          <li key={node.id}>
            <Name node={node} /> <State state={toneOf(node)} name={stateOf(node)} />
          </li>
        ))}
      </ul>
    </section>
  );
