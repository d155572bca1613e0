import type { TaskGraph } from '@waybill/client';
import { count, plural } from '@waybill/client/words';
import { Fragment } from 'preact';
import { stateOf } from '../graph/words.js';
import { useLive } from '../live.js';
import { GraphDrawing } from '../parts/graph-drawing.js';
import { GraphTable, Name } from '../parts/graph-table.js';
import { Shown } from '../parts/shown.js';
import { Wide } from '../parts/wide.js';
import { hashOf, type Route } from '../route.js';
import { service } from '../service.js';

/** A browser needs a second for as many, and a person cannot tell them apart. */
export const MOST_DRAWN = 400;

type Subject = Extract<Route, { page: 'task-graph' | 'batch-graph' }>;

/** The graph of a task or a batch, drawn and as a table. */
export function GraphPage({ subject, isLive }: { subject: Subject; isLive: boolean }) {
  const { page, id } = subject;
  const live = useLive(hashOf(subject), (signal) => look(subject, signal), isLive);
  const back = page === 'task-graph' ? (['task', `Task ${id}`] as const) : (['batch', `Batch ${id}`] as const);
  return (
    <>
      <h1>Graph</h1>
      <p>
        <a href={hashOf({ page: back[0], id })}>{back[1]}</a>
      </p>
      <Shown live={live}>{(graph) => <Graph graph={graph} />}</Shown>
    </>
  );
}

const look = ({ page, id }: Subject, signal: AbortSignal): Promise<TaskGraph> =>
  page === 'task-graph' ? service().task(id).graph({ signal }) : service().batch(id).graph({ signal });

export function Graph({ graph }: { graph: TaskGraph }) {
  return (
    <>
      <p>{sizeOf(graph)}</p>
      <Cause graph={graph} />
      <div class="graph-and-table">
        {graph.nodes.length > MOST_DRAWN ? (
          <p class="quiet">A graph of more than {MOST_DRAWN} nodes is not drawn.</p>
        ) : (
          <Wide about="Graph">
            <GraphDrawing graph={graph} />
          </Wide>
        )}
        <GraphTable graph={graph} />
      </div>
    </>
  );
}

function sizeOf({ nodes, total, folded, truncated }: TaskGraph): string {
  const blocked = nodes.reduce((sum, node) => sum + (node.blocked ? (node.count ?? 1) : 0), 0);
  return [
    `${plural(total, 'task')}, ${count(blocked)} of them blocked.`,
    folded ? 'Tasks of the same level, queue and state are shown as one.' : '',
    truncated ? 'There are more tasks than are shown.' : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** From a blocked task to what it waits for in the end. The service leaves the middle of a long path out. */
function Cause({ graph: { nodes, edges, cause } }: { graph: TaskGraph }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const awaited = new Set(edges.map(({ from, to }) => `${from} ${to}`));
  const path = cause.flatMap((id) => byId.get(id) ?? []);
  if (path.length < 2) return null;
  const link = (at: number): string =>
    awaited.has(`${path[at]!.id} ${path[at - 1]!.id}`) ? '' : '…, which waits for ';
  return (
    <p class="why">
      {path.map((node, at) => (
        <Fragment key={node.id}>
          {at === 0 ? '' : `${at === 1 ? ' waits for ' : ', which waits for '}${link(at)}`}
          <Name node={node} />
        </Fragment>
      ))}
      : {stateOf(path.at(-1)!)}.
    </p>
  );
}
