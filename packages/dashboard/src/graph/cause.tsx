import type { TaskGraph } from '@waybill/client';
import { Fragment } from 'react';
import css from './graph-page.module.css';
import { NodeLink } from './node-link.js';
import { nameOf, stateOf } from './node-words.js';

/** From a blocked task to what it waits for in the end. The service leaves the middle of a long path out. */
export function Cause({ graph: { nodes, edges, cause } }: { graph: Pick<TaskGraph, 'nodes' | 'edges' | 'cause'> }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const awaited = new Set(edges.map(({ from, to }) => `${from} ${to}`));
  const path = cause.flatMap((id) => byId.get(id) ?? []);
  if (path.length < 2) return null;
  const gap = (at: number): string => (awaited.has(`${path[at]!.id} ${path[at - 1]!.id}`) ? '' : '…, which waits for ');
  return (
    <p className={css.cause}>
      {path.map((node, at) => (
        <Fragment key={node.id}>
          {at === 0 ? '' : `${at === 1 ? ' waits for ' : ', which waits for '}${gap(at)}`}
          <NodeLink node={node}>{nameOf(node)}</NodeLink>
        </Fragment>
      ))}
      : {stateOf(path.at(-1)!)}.
    </p>
  );
}
